/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.testkit.Eventually;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockingCallsTests {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final BlockingCalls calls = new BlockingCalls();
    private final CompletableFuture<Void> answer = new CompletableFuture<>();
    private final AtomicInteger begun = new AtomicInteger();

    @AfterEach
    void close() {
        answer.complete(null);
        calls.close();
    }

    private void hang(int times, String node) {
        for (int i = 0; i < times; i++) {
            calls.execute(node, () -> {
                begun.incrementAndGet();
                answer.join();
            });
        }
    }

    @Test
    void aNodeThatHangsKeepsNoThreadFromAnother() throws Exception {
        hang(10 * BlockingCalls.THREADS, "hangs");
        CompletableFuture<Void> other = new CompletableFuture<>();
        calls.execute("answers", () -> other.complete(null));
        other.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aNodeHasNoMoreThanItsThreadsAndWhatWaitsHasItsTurn() {
        hang(BlockingCalls.THREADS, "busy");
        Eventually.until("all threads are taken", SOON, () -> begun.get() == BlockingCalls.THREADS);
        hang(BlockingCalls.THREADS, "busy");
        assertThat(begun).hasValue(BlockingCalls.THREADS);
        answer.complete(null);
        Eventually.until("all were called", SOON, () -> begun.get() == 2 * BlockingCalls.THREADS);
    }

    @Test
    void aCallThatThrowsLeavesItsThreadToOthers() {
        for (int i = 0; i < 2 * BlockingCalls.THREADS; i++) {
            calls.execute("node", () -> {
                Thread.currentThread().setUncaughtExceptionHandler((thread, seen) -> begun.incrementAndGet());
                throw new IllegalStateException("of no matter");
            });
        }
        Eventually.until("all were called", SOON, () -> begun.get() == 2 * BlockingCalls.THREADS);
    }

    @Test
    void noneIsMadeAfterTheEnd() {
        hang(BlockingCalls.THREADS, "busy");
        calls.close();
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> hang(1, "busy"));
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> hang(1, "new"));
    }
}
