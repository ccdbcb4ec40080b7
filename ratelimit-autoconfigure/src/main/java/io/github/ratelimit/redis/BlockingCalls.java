/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.OwnThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A few threads for a client that blocks them; idle ones end. */
final class BlockingCalls implements Executor, AutoCloseable {

    /** More than a pool of connections has by default, so that it is never the threads that are missing. */
    static final int THREADS = 16;

    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;

    BlockingCalls() {
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new OwnThreads("ratelimit-redis"));
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable call) {
        threads.execute(call);
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
