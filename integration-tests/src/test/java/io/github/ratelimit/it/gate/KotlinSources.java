/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kotlin.Unit;
import kotlinx.coroutines.CoroutineScope;
import kotlinx.coroutines.reactor.ReactorContext;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.springframework.web.bind.annotation.RestController;
import reactor.util.context.Context;

/** Compiles Kotlin when a test needs it: no build plugin, the same in both builds. */
final class KotlinSources {

    private KotlinSources() {}

    /** A class loader with the compiled classes of a resource. */
    static URLClassLoader compile(String resource, Path directory) throws IOException {
        Path source = directory.resolve("source.kt");
        try (InputStream text = KotlinSources.class.getResourceAsStream(resource)) {
            Files.copy(text, source);
        }
        ExitCode code = new K2JVMCompiler()
                .exec(
                        System.err,
                        source.toString(),
                        "-d",
                        directory.toString(),
                        "-classpath",
                        classPath(),
                        "-no-stdlib",
                        "-no-reflect",
                        "-jvm-target",
                        "17",
                        "-java-parameters");
        assertThat(code).isEqualTo(ExitCode.OK);
        return new URLClassLoader(new URL[] {url(directory)}, KotlinSources.class.getClassLoader());
    }

    /** Where the classes come from that the sources use. */
    private static String classPath() {
        return Stream.of(
                        Coroutines.class,
                        RateLimited.class,
                        Unit.class,
                        CoroutineScope.class,
                        ReactorContext.class,
                        RestController.class,
                        Context.class)
                .map(used -> used.getProtectionDomain().getCodeSource().getLocation())
                .map(location -> Path.of(URI.create(location.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static URL url(Path directory) throws MalformedURLException {
        return directory.toUri().toURL();
    }
}
