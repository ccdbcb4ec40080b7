/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.OwnThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * An executor that may be handed tasks by threads of the store's client, which must neither wait nor run them. What is
 * known to return at once is handed them directly; anything else by a thread of our own. A task that would run on the
 * thread that hands it over runs on the common pool instead.
 */
final class PromptExecutor implements Executor {

    private final Executor executor;
    private final ThreadPoolExecutor between;

    private PromptExecutor(Executor executor) {
        this.executor = executor;
        this.between = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new OwnThreads("ratelimit-handover"));
        this.between.allowCoreThreadTimeOut(true);
    }

    static Executor of(Executor executor) {
        return new PromptExecutor(executor);
    }

    @Override
    public void execute(Runnable task) {
        if (returnsAtOnce(executor)) {
            hand(task);
        } else {
            between.execute(() -> handOrRun(task));
        }
    }

    private void hand(Runnable task) {
        Handed handed = new Handed(task);
        try {
            executor.execute(handed);
        } finally {
            handed.giver = null;
        }
    }

    /** Nobody is there any more to hear that it was refused. */
    private void handOrRun(Runnable task) {
        try {
            hand(task);
        } catch (RuntimeException | Error refused) {
            ForkJoinPool.commonPool().execute(task);
        }
    }

    /** Asked each time: limits of an executor may change while it runs. */
    private static boolean returnsAtOnce(Executor executor) {
        if (executor instanceof SimpleAsyncTaskExecutor each) {
            return !each.isThrottleActive();
        }
        if (executor instanceof ThreadPoolTaskExecutor pool) {
            return refusesAtOnce(pool.getThreadPoolExecutor());
        }
        return executor instanceof ForkJoinPool || (executor instanceof ThreadPoolExecutor pool && refusesAtOnce(pool));
    }

    /** A full pool may let an application's own handler wait for a place. */
    private static boolean refusesAtOnce(ThreadPoolExecutor pool) {
        RejectedExecutionHandler handler = pool.getRejectedExecutionHandler();
        return handler.getClass().getName().startsWith(ThreadPoolExecutor.class.getName());
    }

    /** A task, and the thread that hands it over as long as it does. */
    private static final class Handed implements Runnable {

        private final Runnable task;
        private @Nullable Thread giver = Thread.currentThread();

        Handed(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (Thread.currentThread() == giver) {
                ForkJoinPool.commonPool().execute(task);
            } else {
                task.run();
            }
        }
    }
}
