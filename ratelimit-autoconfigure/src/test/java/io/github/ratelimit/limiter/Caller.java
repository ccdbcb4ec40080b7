/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Somebody who calls on a thread of its own, and what became of the call. */
final class Caller {

    private final CompletableFuture<Decision> outcome = new CompletableFuture<>();
    private final Thread thread;
    private volatile long nanos;
    private volatile boolean flagged;

    private Caller(Supplier<Decision> call) {
        thread = new Thread(
                () -> {
                    long start = System.nanoTime();
                    try {
                        Decision decision = call.get();
                        nanos = System.nanoTime() - start;
                        outcome.complete(decision);
                    } catch (RuntimeException | Error failure) {
                        flagged = Thread.currentThread().isInterrupted();
                        outcome.completeExceptionally(failure);
                    }
                },
                "caller");
        thread.setDaemon(true);
    }

    static Caller of(Supplier<Decision> call) {
        Caller caller = new Caller(call);
        caller.thread.start();
        return caller;
    }

    void interrupt() {
        thread.interrupt();
    }

    Decision decision() {
        return outcome.orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** What the call threw. */
    @Nullable
    Throwable failure() {
        return outcome.orTimeout(30, TimeUnit.SECONDS)
                .handle((decision, failure) -> failure)
                .join();
    }

    /** How long the call took. */
    long nanos() {
        return nanos;
    }

    /** Whether the thread's flag was set when the call threw. */
    boolean wasFlagged() {
        return flagged;
    }
}
