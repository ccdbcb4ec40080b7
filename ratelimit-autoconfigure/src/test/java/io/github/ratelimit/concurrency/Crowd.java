/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.concurrency;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.testkit.StoreUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that do something at the same time, dealt out to several stores that share their counters. */
final class Crowd implements AutoCloseable {

    static final int THREADS = 8;

    private static final long PATIENCE_SECONDS = 60;

    private final List<StoreUnderTest> stores;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    Crowd(StoreUnderTest... stores) {
        this.stores = List.of(stores);
    }

    /** What one of the threads does. */
    interface Task<T> {

        T run(RateLimitStore store, int thread) throws Exception;
    }

    /** The stores share one clock: the last one to set it sets it for all. */
    void setClock(long micros) {
        stores.get(0).setClock(micros);
    }

    /** One of the stores, to see what has become of it. */
    StoreUnderTest one() {
        return stores.get(0);
    }

    /** Has every thread do it, all at once; what each of them brought. */
    <T> List<T> all(Task<T> task) {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Callable<T>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            RateLimitStore store = stores.get(i % stores.size()).store();
            calls.add(() -> {
                start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                return task.run(store, thread);
            });
        }
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> done : threads.invokeAll(calls, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                results.add(done.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError("a thread failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What all threads brought, added up. */
    long sum(Task<Long> task) {
        return all(task).stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        stores.forEach(StoreUnderTest::close);
    }
}
