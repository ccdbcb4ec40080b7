/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store whose answers arrive later and on a thread of its own, as those of a client of Redis do. */
final class RemoteStore implements RateLimitStore, AutoCloseable {

    static final String THREAD = "store-client";

    private final RateLimitStore counters;
    private final ExecutorService client = Executors.newSingleThreadExecutor(task -> new Thread(task, THREAD));
    private volatile @Nullable RuntimeException failure;
    private final AtomicInteger reservations = new AtomicInteger();
    private volatile boolean interrupted;
    private volatile CountDownLatch answers = new CountDownLatch(0);

    RemoteStore(RateLimitStore counters) {
        this.counters = counters;
    }

    /** From now on it decides at once, but its answers are under way until {@link #answer}. */
    RemoteStore hold() {
        answers = new CountDownLatch(1);
        return this;
    }

    /** From now on it answers with this failure. */
    RemoteStore failing(RuntimeException failure) {
        this.failure = failure;
        return this;
    }

    void answer() {
        answers.countDown();
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        return later(() -> counters.acquire(charges));
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        reservations.incrementAndGet();
        return later(() -> counters.reserve(charges));
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        return later(() -> counters.peek(charges));
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        return later(() -> counters.acquireUpTo(charge));
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        return later(() -> counters.cancel(reservation));
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        return later(() -> counters.refund(charges));
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return later(() -> counters.reset(limit, key));
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        return later(() -> counters.lock(limit, key, duration));
    }

    /** How often it was asked to reserve. */
    int reservations() {
        return reservations.get();
    }

    /** Whether it was ever called by a thread whose flag was set: a client that blocks would refuse that. */
    boolean calledByAnInterruptedThread() {
        return interrupted;
    }

    private <T> CompletionStage<T> later(Supplier<CompletionStage<T>> operation) {
        interrupted |= Thread.currentThread().isInterrupted();
        RuntimeException fails = failure;
        CompletionStage<T> decided = fails == null ? operation.get() : CompletableFuture.failedStage(fails);
        CountDownLatch arrival = answers;
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        arrival.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return decided.toCompletableFuture().join();
                },
                client);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
