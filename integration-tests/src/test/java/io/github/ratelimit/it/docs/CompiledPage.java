/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.it.docs.Page.Block;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Component;

/**
 * The Java of a page, compiled: each block in a package of its own, beside what every snippet takes for granted. Until it is
 * closed, applications that this thread starts are made of it.
 */
final class CompiledPage implements AutoCloseable {

    private static final String GRANTED = """
            import static io.github.ratelimit.Algorithm.*;
            import static io.github.ratelimit.FailurePolicy.*;
            import io.github.ratelimit.*;
            import io.github.ratelimit.annotation.*;
            import io.github.ratelimit.it.docs.shop.*;
            import java.lang.annotation.*;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;
            import org.springframework.context.annotation.*;
            import org.springframework.stereotype.*;
            import org.springframework.web.bind.annotation.*;
            """;

    private static final Pattern TYPES =
            Pattern.compile("(?m)^(public |final |abstract )*(class|record|interface|@interface|enum) ");
    private static final Pattern MEMBERS = Pattern.compile("(?m)^(@|public |private |protected )");

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final Path directory;
    private final URLClassLoader loader;

    private CompiledPage(Path directory, URLClassLoader loader) {
        this.directory = directory;
        this.loader = loader;
        Thread.currentThread().setContextClassLoader(loader);
    }

    /** Compiles the Java among these blocks, and is what came of it. */
    static CompiledPage of(List<Block> blocks, Path directory) throws IOException {
        compile(blocks, directory);
        return in(directory);
    }

    /** What was compiled into this directory before. */
    static CompiledPage in(Path directory) throws IOException {
        URL[] classes = {directory.toUri().toURL()};
        return new CompiledPage(directory, new URLClassLoader(classes, CompiledPage.class.getClassLoader()));
    }

    /** Compiles the Java among these blocks into a directory that is empty. */
    static void compile(List<Block> blocks, Path directory) throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        for (Block block : blocks) {
            if (block.language().equals("java")) {
                sources.add(new Source(block));
            }
        }
        if (sources.isEmpty()) {
            return;
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        List<String> options = List.of(
                "-d", directory.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-parameters");
        try (JavaFileManager manager = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            if (!compiler.getTask(said, manager, null, options, null, sources).call()) {
                throw new AssertionError(said.toString());
            }
        }
    }

    /** The classes of a block that are beans of an application. */
    List<Class<?>> beans(Block block) throws IOException, ClassNotFoundException {
        Path home = directory.resolve(packageOf(block));
        List<Class<?>> beans = new ArrayList<>();
        if (Files.isDirectory(home)) {
            try (Stream<Path> files = Files.list(home)) {
                for (Path file : files.sorted().toList()) {
                    String name = file.getFileName().toString().replace(".class", "");
                    Class<?> type = loader.loadClass(packageOf(block) + '.' + name);
                    if (isBean(type)) {
                        beans.add(type);
                    }
                }
            }
        }
        return beans;
    }

    private static boolean isBean(Class<?> type) {
        return !Modifier.isAbstract(type.getModifiers())
                && type.getEnclosingClass() == null
                && (AnnotatedElementUtils.hasAnnotation(type, Component.class)
                        || type.getSimpleName().equals(Source.MEMBERS_OF)
                        || Arrays.stream(type.getDeclaredMethods())
                                .anyMatch(method -> AnnotatedElementUtils.hasAnnotation(method, RateLimited.class)));
    }

    @Override
    public void close() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        loader.close();
    }

    private static String packageOf(Block block) {
        return "snippet" + block.number();
    }

    /** A block as a source file, whatever classes it has. */
    private static final class Source extends SimpleJavaFileObject {

        static final String MEMBERS_OF = "Members";

        private final Block block;

        Source(Block block) {
            super(URI.create("page:///" + packageOf(block) + File.separator + "Snippet.java"), Kind.SOURCE);
            this.block = block;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return kind == Kind.SOURCE;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return "package " + packageOf(block) + ";\n" + GRANTED + whole();
        }

        private String whole() {
            String code = block.code();
            if (TYPES.matcher(code).find()) {
                return code;
            }
            return MEMBERS.matcher(code).find()
                    ? "class %s {\n%s}\n".formatted(MEMBERS_OF, code)
                    : "class Statements { void run(RateLimiter limiter, ReactiveRateLimiter reactive) throws Exception {\n%s} }\n"
                            .formatted(code);
        }
    }
}
