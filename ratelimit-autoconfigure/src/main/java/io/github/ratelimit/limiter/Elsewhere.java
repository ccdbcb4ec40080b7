/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Another place than the store's threads, which no code of the user's may occupy. */
final class Elsewhere {

    private static final Logger log = LoggerFactory.getLogger(Elsewhere.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private Elsewhere() {}

    /**
     * Runs a task on the executor; where that does not take it, on the common pool. It may be shut down, or full, or have no
     * thread left, or an application's own code may fail in it, such as a decorator of tasks that looks for the caller's
     * request. Whatever it does, the task runs once: run twice, it would give back what a call was granted.
     */
    static void run(Executor executor, Runnable task) {
        Once once = new Once(task);
        try {
            executor.execute(once);
        } catch (RuntimeException | Error notTaken) {
            tell(notTaken);
            ForkJoinPool.commonPool().execute(once);
        }
    }

    private static void tell(Throwable notTaken) {
        if (!(notTaken instanceof RejectedExecutionException) && TOLD.compareAndSet(false, true)) {
            log.warn(
                    "The task executor failed to take a task; calls go on without it, on the common pool. This is logged once.",
                    notTaken);
        }
    }

    /** A stage that completes on the executor; one that is complete already is left as it is. */
    static <T> CompletableFuture<T> complete(CompletionStage<T> stage, Executor executor) {
        CompletableFuture<T> there = stage.toCompletableFuture();
        if (there.isDone()) {
            return there;
        }
        CompletableFuture<T> here = new CompletableFuture<>();
        var unused = there.whenComplete((value, failure) -> run(executor, () -> {
            if (failure != null) {
                here.completeExceptionally(Failures.unwrap(failure));
            } else {
                here.complete(value);
            }
        }));
        return here;
    }

    /** Runs the first time. */
    private static final class Once implements Runnable {

        private final AtomicReference<@Nullable Runnable> task;

        Once(Runnable task) {
            this.task = new AtomicReference<>(task);
        }

        @Override
        public void run() {
            Runnable first = task.getAndSet(null);
            if (first != null) {
                first.run();
            }
        }
    }
}
