/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that ring what is due. What follows an alarm may be a caller's own code, and keep the thread that rings it for as long as
 * it likes: then another rings the rest. So there is one while nobody keeps it, and a further one for each that is kept; without
 * anything to do they end.
 */
final class Ringers {

    private static final Logger log = LoggerFactory.getLogger(Ringers.class);

    private static final long IDLE_SECONDS = 10;

    private final ConcurrentLinkedQueue<Runnable> due = new ConcurrentLinkedQueue<>();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), Ringers::thread);
    private final AtomicInteger ringing = new AtomicInteger();
    private final AtomicInteger taken = new AtomicInteger();
    private int takenBefore;

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(null, task, "ratelimit-store-late", 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /** Takes what is due. */
    void add(Runnable alarm) {
        due.add(alarm);
    }

    /**
     * Sees to it that what is due is rung: by another thread, where those that ring have taken nothing since the last look. Only for
     * the thread that looks. Returns whether all has been taken; else it has to look again soon.
     */
    boolean look() {
        int takenNow = taken.get();
        boolean areKept = takenNow == takenBefore;
        takenBefore = takenNow;
        if (due.isEmpty()) {
            return true;
        }
        if (areKept || ringing.get() == 0) {
            start();
        }
        return false;
    }

    private void start() {
        ringing.incrementAndGet();
        try {
            threads.execute(this::ring);
        } catch (RuntimeException | Error noThread) {
            log.debug("No thread could be started to ring deadlines", noThread);
            ring();
        }
    }

    private void ring() {
        try {
            ringAll();
        } finally {
            ringing.decrementAndGet();
        }
    }

    private void ringAll() {
        for (Runnable alarm = due.poll(); alarm != null; alarm = due.poll()) {
            taken.incrementAndGet();
            try {
                alarm.run();
            } catch (RuntimeException | Error failure) {
                log.warn("A call that was not answered in time could not be told so", failure);
            }
        }
    }

    /** Ends the threads, those that are kept when nobody keeps them any more. Nothing may be due. */
    void close() {
        threads.shutdown();
    }
}
