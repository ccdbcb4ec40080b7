/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread behind all deadlines. Sleeps while none is set; under load it looks once per tick, so that an alarm
 * rings at most a tick late, and not a thousand times a second for alarms that are off.
 */
final class DeadlineThread implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(DeadlineThread.class);

    private final Deadlines deadlines;
    private final long tickNanos;
    private final Thread thread;
    private volatile boolean sleeping;

    private DeadlineThread(Deadlines deadlines, long tickNanos) {
        this.deadlines = deadlines;
        this.tickNanos = tickNanos;
        this.thread = new Thread(null, this, "ratelimit-store-deadlines", 0, false);
        thread.setDaemon(true);
    }

    /** Starts a thread that ends when the deadlines are closed. */
    static void start(Deadlines deadlines, long tickNanos) {
        DeadlineThread watch = new DeadlineThread(deadlines, tickNanos);
        deadlines.onSet(watch::wake);
        watch.thread.start();
    }

    private void wake() {
        if (sleeping) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void run() {
        while (!deadlines.isClosed()) {
            long next = ring();
            if (next != Deadlines.NONE) {
                LockSupport.parkNanos(this, Math.max(tickNanos, next));
                continue;
            }
            sleeping = true;
            if (deadlines.isEmpty() && !deadlines.isClosed()) {
                LockSupport.park(this);
            }
            sleeping = false;
        }
    }

    private long ring() {
        try {
            return deadlines.ring();
        } catch (RuntimeException | Error failure) {
            log.warn("A call that was not answered in time could not be told so", failure);
            return tickNanos;
        }
    }
}
