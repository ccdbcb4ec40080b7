/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.OwnThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one timer behind all waits that block no thread. Its thread only hands on; it starts with the first wait.
 *
 * <p>Rings never early. What is cancelled leaves the queue at once, so that nothing grows with waits that were given up.
 */
final class WaitTimer implements AutoCloseable {

    private final ScheduledThreadPoolExecutor timer;
    private final Set<PendingCall> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean released;

    WaitTimer() {
        timer = new ScheduledThreadPoolExecutor(1, new OwnThreads("ratelimit-waiting"));
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Rings once after this time. A call that comes after {@link #release} is released instead. */
    @Nullable
    Future<?> ring(PendingCall call, long nanos, Runnable task) {
        waiting.add(call);
        if (released) {
            call.release();
            return null;
        }
        try {
            return timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopped) {
            call.release();
            return null;
        }
    }

    /** A call waits no longer. */
    void forget(PendingCall call) {
        waiting.remove(call);
    }

    /** How many calls wait at this moment. */
    int count() {
        return waiting.size();
    }

    /** How many alarms are set. */
    int alarms() {
        return timer.getQueue().size();
    }

    /** Releases every waiting call; none waits until {@link #reopen}. */
    void release() {
        released = true;
        waiting.forEach(PendingCall::release);
    }

    /** Lets calls wait again. */
    void reopen() {
        released = false;
    }

    /** Releases every waiting call; none waits from now on. */
    @Override
    public void close() {
        timer.shutdownNow();
        release();
    }
}
