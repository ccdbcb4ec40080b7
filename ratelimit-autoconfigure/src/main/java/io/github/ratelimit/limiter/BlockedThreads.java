/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.RateLimiterClosedException;
import io.github.ratelimit.VirtualThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads that wait for their permits: as many platform threads as there are places, and any number of virtual ones.
 *
 * <p>A thread parks once for the whole wait and holds no lock meanwhile. It is woken by the end of the wait, by an
 * interruption, or by {@link #release}.
 */
final class BlockedThreads {

    private final Semaphore places;
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean released;

    BlockedThreads(int places) {
        this.places = new Semaphore(places);
    }

    /** Takes a place for the current thread, if there is one left or it needs none. */
    boolean enter() {
        return VirtualThreads.isCurrent() || places.tryAcquire();
    }

    /** Gives the current thread's place back. */
    void leave() {
        if (!VirtualThreads.isCurrent()) {
            places.release();
        }
    }

    /**
     * Waits, never shorter than asked. An interruption that meets the end of the wait is left to whoever goes on.
     *
     * @param since the {@link System#nanoTime} from which the wait counts
     */
    void park(long since, long nanos) throws InterruptedException {
        Thread current = Thread.currentThread();
        waiting.add(current);
        try {
            while (true) {
                long left = nanos - (System.nanoTime() - since);
                if (left <= 0) {
                    return;
                }
                if (released) {
                    throw new RateLimiterClosedException();
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                LockSupport.parkNanos(this, left);
            }
        } finally {
            waiting.remove(current);
        }
    }

    /** How many threads wait at this moment. */
    int count() {
        return waiting.size();
    }

    /** Releases every waiting thread with a {@link RateLimiterClosedException}; nobody waits until {@link #reopen}. */
    void release() {
        released = true;
        waiting.forEach(LockSupport::unpark);
    }

    /** Lets threads wait again. */
    void reopen() {
        released = false;
    }
}
