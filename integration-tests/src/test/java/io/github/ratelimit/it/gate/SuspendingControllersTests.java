/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.it.RawAnswer;
import io.github.ratelimit.it.RunningApplication;
import io.github.ratelimit.it.WebStack;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** Kotlin's suspending functions and flows as methods of controllers: counted, and refused as any other. */
class SuspendingControllersTests {

    private static URLClassLoader kotlin;

    @BeforeAll
    static void compile(@TempDir Path directory) throws IOException {
        kotlin = KotlinSources.compile("/kotlin/api.kt", directory);
    }

    @AfterAll
    static void close() throws IOException {
        kotlin.close();
    }

    @ParameterizedTest
    @EnumSource
    void areLimited(WebStack stack) throws Exception {
        Class<?> api = kotlin.loadClass("io.github.ratelimit.it.kotlin.OrderApi");
        try (RunningApplication app = start(stack, api)) {
            for (String kind : List.of("suspending", "flowing")) {
                for (int i = 0; i < 2; i++) {
                    RawAnswer answer = app.send("GET /" + kind + "/acme HTTP/1.1", "Accept: text/plain");
                    assertThat(answer.status()).as(kind).isEqualTo(200);
                    assertThat(answer.body()).contains("order of ").contains("acme");
                    assertThat(answer.headers()).containsEntry("x-ratelimit-remaining", Integer.toString(1 - i));
                }
                RawAnswer denied = app.send("GET /" + kind + "/acme HTTP/1.1");
                assertThat(denied.status()).as(kind).isEqualTo(429);
                assertThat(denied.body()).contains("\"violated-policies\":[\"" + kind + "\"]");
                assertThat(app.send("GET /" + kind + "/umbrella HTTP/1.1").status())
                        .isEqualTo(200);
            }
        }
    }

    /** With the loader of the class, which proxies are made in. */
    private static RunningApplication start(WebStack stack, Class<?> api) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(kotlin);
        try {
            return stack.startWith(List.of(Application.class, api), List.of("ratelimit.store=local"), List.of());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @EnableAutoConfiguration
    static class Application {}
}
