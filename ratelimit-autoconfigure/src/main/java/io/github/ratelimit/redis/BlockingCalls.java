/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.OwnThreads;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A few threads for a client that blocks them; idle ones end. The calls to one node have so many of them and no more, and wait
 * for one another: a node that hangs keeps none from the others.
 */
final class BlockingCalls implements AutoCloseable {

    /** For each node more than a pool of connections has by default, so that it is never the threads that are missing. */
    static final int THREADS = 16;

    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new OwnThreads("ratelimit-redis"));
    private final Map<Object, Node> nodes = new ConcurrentHashMap<>();

    /** Has a call made on a thread, when one is free for this node. */
    void execute(Object node, Runnable call) {
        nodes.computeIfAbsent(node, first -> new Node()).execute(call);
    }

    @Override
    public void close() {
        threads.shutdown();
    }

    /** The calls to one node. */
    private final class Node {

        private final ReentrantLock lock = new ReentrantLock();
        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private int busy;

        void execute(Runnable call) {
            lock.lock();
            try {
                if (busy == THREADS && !threads.isShutdown()) {
                    waiting.add(call);
                } else {
                    threads.execute(() -> run(call));
                    busy++;
                }
            } finally {
                lock.unlock();
            }
        }

        private void run(Runnable first) {
            for (Runnable call = first; call != null; call = next()) {
                try {
                    call.run();
                } catch (RuntimeException | Error failure) {
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
                }
            }
        }

        private @Nullable Runnable next() {
            lock.lock();
            try {
                Runnable next = waiting.poll();
                if (next == null) {
                    busy--;
                }
                return next;
            } finally {
                lock.unlock();
            }
        }
    }
}
