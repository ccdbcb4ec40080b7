/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/**
 * A door for tests: on a real local store whose clock stands still until the test moves it, so that what a wait is worth
 * is known exactly, however long it really takes.
 */
final class Hall implements AutoCloseable {

    /** A full minute, so that windows of the clock begin now. */
    private final AtomicLong now = new AtomicLong(1_800_000_000_000_000L - 1_800_000_000_000_000L % 60_000_000);

    final LocalRateLimitStore counters = new LocalRateLimitStore(now::get, 100_000);
    final NamedLimits limits = new NamedLimits();
    final Heard heard = new Heard();
    final ExecutorService executor = Executors.newFixedThreadPool(2, task -> new Thread(task, "executor"));
    final List<RateLimitListener> listeners = new ArrayList<>(List.of(heard));
    RateLimitStore store = counters;
    Waiting waiting = Waiting.DEFAULT;
    BooleanSupplier onEventLoop = () -> false;
    private @Nullable Door door;

    Hall with(LimitBuilder... defined) {
        for (LimitBuilder limit : defined) {
            limits.add(limit.build());
        }
        return this;
    }

    Hall over(UnaryOperator<RateLimitStore> decorator) {
        store = decorator.apply(store);
        return this;
    }

    Hall places(int blockedThreads) {
        waiting = new Waiting(waiting.leakyBucket(), blockedThreads);
        return this;
    }

    synchronized Door door() {
        Door open = door;
        if (open == null) {
            open = new Door(limits, store, listeners, waiting, executor, onEventLoop, PresentRequest::get);
            door = open;
        }
        return open;
    }

    void advance(Duration time) {
        now.addAndGet(time.toNanos() / 1_000);
    }

    /** How many permits of a bucket are taken: its debt, in permits. */
    long taken(String limit, String key) {
        Limit numbers = limits.numbersFor(limit, null, key);
        Allowed state = (Allowed) counters.peek(List.of(Charge.of(numbers, key, 0)))
                .toCompletableFuture()
                .join();
        long permitMicros = numbers.periodMicros() / numbers.permits();
        return numbers.algorithm().isBucket()
                ? state.resetAfterMicros() / permitMicros
                : numbers.permits() - state.remaining();
    }

    /** Takes permits without the door. */
    void take(String limit, String key, long cost) {
        Limit numbers = limits.numbersFor(limit, null, key);
        Decision decision = counters.acquire(List.of(Charge.of(numbers, key, cost)))
                .toCompletableFuture()
                .join();
        if (!(decision instanceof Allowed)) {
            throw new IllegalStateException("the test takes more than there is: " + decision);
        }
    }

    void awaitWaiting(int calls) {
        patiently().until(() -> door().waiting() == calls);
    }

    private static ConditionFactory patiently() {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1));
    }

    void awaitHeard(int decisions) {
        patiently().until(() -> heard.decisions.size() == decisions);
    }

    void awaitTaken(String limit, String key, long permits) {
        patiently().until(() -> taken(limit, key) == permits);
    }

    /** One permit per {@code every}; {@code burst} of them at once. */
    static LimitBuilder bucket(String name, long burst, Duration every) {
        return Limit.named(name).permits(1).period(every).burst(burst);
    }

    static LimitBuilder paced(String name, long burst, Duration every) {
        return bucket(name, burst, every).algorithm(Algorithm.LEAKY_BUCKET);
    }

    static LimitBuilder window(String name, long permits, Duration period) {
        return Limit.named(name).permits(permits).period(period).algorithm(Algorithm.SLIDING_WINDOW_LOG);
    }

    static Ask one(String limit, String key) {
        return new Ask(limit, null, key, 1);
    }

    @Override
    public void close() {
        door().close();
        executor.shutdownNow();
    }
}
