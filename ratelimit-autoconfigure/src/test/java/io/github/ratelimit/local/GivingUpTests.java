/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.GivingBack;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Refill;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The law of a bucket however its callers give up: never more than its capacity, and what has come since. Some call it alone,
 * some wait in its line, and some are made to wait by another limit while it has charged them.
 */
class GivingUpTests {

    private static final int HISTORIES = 400;
    private static final int STEPS = 120;
    private static final long HOUR = Charge.LONGEST_WAIT_MICROS;

    /** A call that was granted, and when it goes ahead as far as the bucket is concerned. */
    private record Granted(Reservation reservation, long at, long cost, long goesAt) {}

    private final List<Granted> granted = new ArrayList<>();
    private int calls;
    private long now;

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "TOKEN_BUCKET_INTERVAL", "LEAKY_BUCKET_METER"})
    void neverMoreThanTheCapacityAndWhatHasComeSince(Kind kind) {
        for (int seed = 0; seed < HISTORIES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Limit limit = kind.named("a")
                    .permits(random.nextInt(1, 8))
                    .period(Duration.ofSeconds(1))
                    .burst((long) random.nextInt(1, 30))
                    .build();
            now = 1_800_000_000_000_000L + random.nextLong(1_000_000);
            granted.clear();
            LocalRateLimitStore store = new LocalRateLimitStore(() -> now, 100_000);
            for (int step = 0; step < STEPS; step++) {
                long toFill = limit.burst() * limit.periodMicros() / limit.permits();
                now += random.nextInt(4) == 0 ? random.nextLong(toFill) : random.nextLong(10_000);
                step(store, limit, random);
            }
            assertLaw(limit, seed);
        }
    }

    private void step(LocalRateLimitStore store, Limit limit, SplittableRandom random) {
        long cost = random.nextLong(1, limit.burst() + 1);
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> reserve(store, cost, now, Charge.of(limit, "k", cost));
            case 3 -> reserve(store, 1, now, Charge.of(limit, "k", 1).waiting(HOUR));
            case 4, 5, 6 -> reserve(store, cost, now, Charge.of(limit, "k", cost), spent(store));
            default -> giveUp(store, random);
        }
    }

    /** Who calls it next waits for 20 s. */
    private Charge spent(LocalRateLimitStore store) {
        Limit slow = Kind.TOKEN_BUCKET
                .named("slow")
                .permits(1)
                .period(Duration.ofSeconds(20))
                .build();
        Charge one = Charge.of(slow, "k" + calls++, 1);
        assertThat(Stages.await(store.acquire(List.of(one))).passes()).isTrue();
        return one.waiting(HOUR);
    }

    private void reserve(LocalRateLimitStore store, long cost, long at, Charge... charges) {
        Reservation reservation = Stages.await(store.reserve(List.of(charges)));
        if (reservation.decision() instanceof Allowed) {
            long goesAt = at + ((Allowed) reservation.decision().parts().get(0)).delayMicros();
            granted.add(new Granted(reservation, at, cost, goesAt));
        }
    }

    /** One who waits; it never goes ahead. */
    private void giveUp(LocalRateLimitStore store, SplittableRandom random) {
        List<Granted> waiting = granted.stream()
                .filter(call -> call.at() + ((Allowed) call.reservation().decision()).delayMicros() > now)
                .toList();
        if (!waiting.isEmpty()) {
            Granted gone = waiting.get(random.nextInt(waiting.size()));
            granted.remove(gone);
            Stages.await(store.cancel(GivingBack.cancelled(gone.reservation())));
        }
    }

    private void assertLaw(Limit limit, int seed) {
        for (Granted first : granted) {
            for (Granted last : granted) {
                if (first.goesAt() <= last.goesAt()) {
                    long went = granted.stream()
                            .filter(call -> call.goesAt() >= first.goesAt() && call.goesAt() <= last.goesAt())
                            .mapToLong(Granted::cost)
                            .sum();
                    assertThat(went)
                            .as("seed %d: %s, from %d to %d", seed, limit, first.goesAt(), last.goesAt())
                            .isLessThanOrEqualTo(limit.burst() + come(limit, first.goesAt(), last.goesAt()));
                }
            }
        }
    }

    /** Those who wait go with a tick, and at most a microsecond late. */
    private static long come(Limit limit, long from, long to) {
        long since = from - 1;
        return limit.refill() == Refill.INTERVAL
                ? limit.permits() * (to / limit.periodMicros() - since / limit.periodMicros())
                : (to - since) * limit.permits() / limit.periodMicros();
    }
}
