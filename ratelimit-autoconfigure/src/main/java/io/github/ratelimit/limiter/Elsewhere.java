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

/** Another place than the store's threads, which no code of the user's may occupy. */
final class Elsewhere {

    private Elsewhere() {}

    /** Runs a task on the executor; where that takes no more tasks (it is shut down, or full), on the common pool. */
    static void run(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException full) {
            ForkJoinPool.commonPool().execute(task);
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
}
