/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is counted for a decision. */
class DecisionMetersTests {

    private static final Limit ORDERS = limit("orders", false);
    private static final Limit WATCHED = limit("watched", true);

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final DecisionMeters meters = new DecisionMeters(registry);

    @Test
    void countsEachOutcomeApart() {
        meters.onDecision(allowed(ORDERS));
        meters.onDecision(allowed(ORDERS));
        meters.onDecision(denied(ORDERS, DenialReason.PERMITS_SPENT));
        meters.onDecision(denied(ORDERS, DenialReason.STORE_UNAVAILABLE));
        meters.onDecision(new Uncounted("orders", null));

        assertThat(count("orders", "allowed")).isEqualTo(2);
        assertThat(count("orders", "denied")).isEqualTo(1);
        assertThat(count("orders", "unavailable")).isEqualTo(1);
        assertThat(count("orders", "uncounted")).isEqualTo(1);
        assertThat(count("orders", "shadow-denied")).isZero();
    }

    @Test
    void countsEachLimitOfACallByItsOwnPart() {
        meters.onDecision(Decision.together(
                List.of(allowed(ORDERS), denied(WATCHED, DenialReason.PERMITS_SPENT), new Uncounted("free", null))));

        assertThat(count("orders", "allowed")).isEqualTo(1);
        assertThat(count("watched", "shadow-denied")).isEqualTo(1);
        assertThat(count("watched", "denied")).isZero();
        assertThat(count("free", "uncounted")).isEqualTo(1);
    }

    @Test
    void countsTheDenialOfAnOnlyShadowLimit() {
        meters.onDecision(Decision.together(List.of(denied(WATCHED, DenialReason.PERMITS_SPENT))));

        assertThat(count("watched", "shadow-denied")).isEqualTo(1);
        assertThat(count("watched", "allowed")).isZero();
    }

    @Test
    void startsAtZero() {
        meters.prepare("orders");

        assertThat(count("orders", "denied")).isZero();
    }

    @Test
    void timesWaits() {
        meters.onWait(new Allowed(ORDERS, 1, 0, 0), Duration.ofMillis(30).toNanos());

        assertThat(registry.get("ratelimit.wait").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(30);
    }

    @Test
    void hasNoMoreMetersThanLimitsThereMayBe() {
        for (int i = 0; i < DecisionMeters.MOST_LIMITS + 50; i++) {
            meters.onDecision(new Uncounted("limit-" + i, null));
        }

        assertThat(registry.getMeters())
                .filteredOn(meter -> meter.getId().getName().equals("ratelimit.decisions"))
                .hasSize((DecisionMeters.MOST_LIMITS + 1) * Outcome.values().length);
        assertThat(count(DecisionMeters.OTHERS, "uncounted")).isEqualTo(50);
    }

    @Test
    void tagsNothingButLimitAndOutcome() {
        meters.onDecision(allowed(ORDERS));

        assertThat(registry.getMeters())
                .filteredOn(meter -> meter.getId().getName().equals("ratelimit.decisions"))
                .extracting(Meter::getId)
                .allSatisfy(id ->
                        assertThat(id.getTags()).extracting(tag -> tag.getKey()).containsExactly("limit", "outcome"));
    }

    @Test
    void countsWithoutAllocating() {
        Decision decision = allowed(ORDERS);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        count(decision, 100_000);

        long before = threads.getCurrentThreadAllocatedBytes();
        count(decision, 100_000);
        long perDecision = (threads.getCurrentThreadAllocatedBytes() - before) / 100_000;

        assertThat(perDecision).as("bytes per decision").isLessThanOrEqualTo(24); // the list of one part
    }

    private void count(Decision decision, int times) {
        for (int i = 0; i < times; i++) {
            meters.onDecision(decision);
        }
    }

    private double count(String limit, String outcome) {
        return registry.get("ratelimit.decisions")
                .tag("limit", limit)
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private static Allowed allowed(Limit limit) {
        return new Allowed(limit, 1, 0, 0);
    }

    private static Denied denied(Limit limit, DenialReason reason) {
        return new Denied(limit, reason, 0, 1, 1);
    }

    private static Limit limit(String name, boolean shadow) {
        return Limit.named(name)
                .algorithm(Algorithm.TOKEN_BUCKET)
                .permits(1)
                .period(Duration.ofMinutes(1))
                .shadow(shadow)
                .build();
    }
}
