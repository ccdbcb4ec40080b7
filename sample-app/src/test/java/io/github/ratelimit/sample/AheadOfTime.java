/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import io.github.ratelimit.aot.TellingSample;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The sample processed ahead of time, as the goal {@code process-aot} of Spring Boot's build plugins does it: in a JVM of
 * its own, and the sources it writes compiled.
 */
final class AheadOfTime {

    private final Path directory;

    AheadOfTime(Path directory) {
        this.directory = directory;
    }

    /** Processes and compiles, for an application started with these arguments; gives the class path to run with. */
    String build(String... arguments) throws IOException, InterruptedException {
        Path sources = directory.resolve("sources");
        Path classes = directory.resolve("classes");
        Path resources = directory.resolve("resources");
        String own = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>(List.of(
                Instance.JAVA,
                "-cp",
                own,
                "org.springframework.boot.SpringApplicationAotProcessor",
                TellingSample.class.getName(),
                sources.toString(),
                resources.toString(),
                classes.toString(),
                "io.github.ratelimit",
                "sample-app"));
        command.addAll(List.of(arguments));
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(Files.readString(log));
        }
        String generated =
                Stream.of(classes, resources).map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        compile(sources, classes, generated + File.pathSeparator + own);
        return generated + File.pathSeparator + own;
    }

    private static void compile(Path sources, Path classes, String classPath) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (Stream<Path> files = Files.walk(sources);
                StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<Path> java =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            List<String> options =
                    List.of("-d", classes.toString(), "-cp", classPath, "-proc:none", "-parameters", "-nowarn");
            if (!compiler.getTask(null, manager, null, options, null, manager.getJavaFileObjectsFromPaths(java))
                    .call()) {
                throw new IllegalStateException("What was generated does not compile");
            }
        }
    }
}
