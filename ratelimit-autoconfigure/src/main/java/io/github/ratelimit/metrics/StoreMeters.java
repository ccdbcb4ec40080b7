/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.metrics;

import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.store.StoreHealth;
import io.github.ratelimit.store.StoreTimes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** How the store does: how long its decisions take, what it failed of, and whether calls are kept away from it. */
public final class StoreMeters implements StoreHealth, StoreTimes {

    private final MeterRegistry registry;
    private final Map<StoreFailure, Counter> failures = new EnumMap<>(StoreFailure.class);
    private final Map<String, Timer> times = new ConcurrentHashMap<>();

    /** Meters in this registry. */
    public StoreMeters(MeterRegistry registry) {
        this.registry = registry;
        for (StoreFailure cause : StoreFailure.values()) {
            failures.put(cause, counter(cause));
        }
    }

    /**
     * Shows whether calls are kept away from a shared store.
     *
     * @param away whether they are
     */
    public void show(BooleanSupplier away) {
        Gauge.builder("ratelimit.store.away", away, now -> now.getAsBoolean() ? 1 : 0)
                .description("1 while calls are kept away from the store, else 0")
                .strongReference(true)
                .register(registry);
    }

    @Override
    public void failed(StoreFailure cause) {
        Counter counter = failures.get(cause);
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void took(String store, long nanos) {
        Timer known = times.get(store);
        (known != null ? known : times.computeIfAbsent(store, this::timer)).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Counter counter(StoreFailure cause) {
        return Counter.builder("ratelimit.store.failures")
                .description("Calls the store did not answer, and counters it healed")
                .tag("cause", cause.tag())
                .register(registry);
    }

    private Timer timer(String store) {
        return Timer.builder("ratelimit.acquire")
                .description("How long decisions take")
                .tag("store", store)
                .register(registry);
    }
}
