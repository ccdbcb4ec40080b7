/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.metrics;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.RateLimitListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts decisions by limit and outcome, and times waits.
 *
 * <p>Each limit of a call counts its own answer: a call of two limits counts once for either, and a limit that only
 * watches counts its denials apart. Meters are looked up once per limit; counting a decision allocates nothing.
 */
public final class DecisionMeters implements RateLimitListener {

    /** More limits than any application has: past it they are counted together. */
    static final int MOST_LIMITS = 1_000;

    static final String OTHERS = "(others)";

    private final MeterRegistry registry;
    private final Timer waits;
    private final Map<String, EnumMap<Outcome, Counter>> decisions = new ConcurrentHashMap<>();

    /** Meters in this registry. */
    public DecisionMeters(MeterRegistry registry) {
        this.registry = registry;
        this.waits = Timer.builder("ratelimit.wait")
                .description("How long allowed calls waited for their permits")
                .register(registry);
    }

    /** Makes a limit's counters before its first call, so that they are seen to begin at zero. */
    public void prepare(String limit) {
        var unused = of(limit);
    }

    @Override
    public void onDecision(Decision decision) {
        if (isOfOne(decision)) {
            count(decision);
            return;
        }
        List<Decision> parts = decision.parts();
        for (int i = 0; i < parts.size(); i++) {
            count(parts.get(i));
        }
    }

    /** Whether it is its own one part. */
    private static boolean isOfOne(Decision decision) {
        return (decision instanceof Allowed allowed && allowed.several().isEmpty())
                || (decision instanceof Denied denied && denied.several().isEmpty());
    }

    private void count(Decision part) {
        Counter counter = of(part.limit()).get(Outcome.of(part));
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void onWait(Decision.Allowed decision, long waitedNanos) {
        waits.record(waitedNanos, TimeUnit.NANOSECONDS);
    }

    private EnumMap<Outcome, Counter> of(String limit) {
        EnumMap<Outcome, Counter> known = decisions.get(limit);
        if (known != null) {
            return known;
        }
        String name = decisions.size() < MOST_LIMITS ? limit : OTHERS;
        return decisions.computeIfAbsent(name, this::counters);
    }

    private EnumMap<Outcome, Counter> counters(String limit) {
        EnumMap<Outcome, Counter> counters = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            Counter counter = Counter.builder("ratelimit.decisions")
                    .description("Answers of limits to calls")
                    .tag("limit", limit)
                    .tag("outcome", outcome.tag())
                    .register(registry);
            counters.put(outcome, counter);
        }
        return counters;
    }
}
