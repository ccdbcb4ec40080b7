/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The library's own threads, which the call of anybody may start. */
class OwnThreadsTests {

    private final ClassLoader application = Thread.currentThread().getContextClassLoader();
    private final InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
    private final OwnThreads threads = new OwnThreads("own");

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(application);
        user.remove();
    }

    @Test
    void keepNoApplicationAlive() {
        Thread thread = threads.newThread(() -> {});

        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("own");
    }

    @Test
    void haveNothingOfTheCallThatStartsThem() {
        user.set("alice");
        Thread.currentThread().setContextClassLoader(new ClassLoader(application) {});
        CompletableFuture<String> seen = new CompletableFuture<>();

        Thread thread = threads.newThread(() -> seen.complete("user " + user.get()));
        assertThat(thread.getContextClassLoader()).isSameAs(application);
        thread.start();
        assertThat(seen.join()).isEqualTo("user null");
    }
}
