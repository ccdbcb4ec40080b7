/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread behind all deadlines. Sleeps until the next is due, or for long while none is; under load it looks once per
 * tick at most, so that an alarm rings at most a tick late, and not a thousand times a second for alarms that are off. It only
 * looks: {@link Ringers} ring, so that nobody who is told can keep it.
 */
final class DeadlineThread implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(DeadlineThread.class);

    private static final long LONG_NANOS = 3_600_000_000_000L;
    private static final long SHORTEST_TICK_NANOS = 1_000_000;
    private static final long LONGEST_TICK_NANOS = 10_000_000;
    private static final int TICKS = 50;

    private final Deadlines deadlines;
    private final long tickNanos;
    private final Thread thread;
    private final Ringers ringers = new Ringers();

    /** While it looks nobody knows what it has seen: whoever sets an alarm then leaves word. */
    private volatile boolean looking = true;

    private volatile boolean missed;
    private volatile long wakesAtNanos;

    private DeadlineThread(Deadlines deadlines, long tickNanos) {
        this.deadlines = deadlines;
        this.tickNanos = tickNanos;
        this.thread = new Thread(null, this, "ratelimit-store-deadlines", 0, false);
        thread.setDaemon(true);
    }

    /** How long a tick is where a decision may take so long. */
    static long tickNanos(long timeoutNanos) {
        return Math.max(SHORTEST_TICK_NANOS, Math.min(LONGEST_TICK_NANOS, timeoutNanos / TICKS));
    }

    /** Starts a thread that ends when the deadlines are closed. */
    static void start(Deadlines deadlines, long tickNanos) {
        DeadlineThread watch = new DeadlineThread(deadlines, tickNanos);
        deadlines.onSet(watch::wake);
        watch.thread.start();
    }

    /** Wakes it, unless it wakes in time by itself. */
    private void wake(long dueNanos) {
        if (looking) {
            missed = true;
            if (looking) {
                return;
            }
        }
        if (wakesAtNanos - dueNanos > tickNanos) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void run() {
        while (!deadlines.isClosed() || !ringers.look()) {
            missed = false;
            looking = true;
            long next = look();
            long pause = next == Deadlines.NONE ? LONG_NANOS : Math.max(tickNanos, next);
            wakesAtNanos = System.nanoTime() + pause;
            looking = false;
            LockSupport.parkNanos(this, missed ? tickNanos : pause);
        }
        ringers.close();
    }

    private long look() {
        try {
            long next = deadlines.ring(ringers::add);
            return ringers.look() ? next : tickNanos;
        } catch (RuntimeException | Error failure) {
            log.warn("Deadlines could not be looked at", failure);
            return tickNanos;
        }
    }
}
