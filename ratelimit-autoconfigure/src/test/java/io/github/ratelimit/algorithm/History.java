/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Random calls of one key, from a seed: as many as fill the limit again and again, and pauses in which it recovers. */
final class History {

    /** One call. */
    record Step(long at, long cost, long maxWait) {}

    private final Random random;
    private final Limit limit;

    History(long seed, Limit limit) {
        this.random = new Random(seed);
        this.limit = limit;
    }

    /** Limits of a kind with numbers that do not divide well, and with some that do. */
    static Stream<Limit> limits(Kind kind) {
        return Stream.of(
                limit(kind, 3, 5, Duration.ofSeconds(1), 4),
                limit(kind, 7, 2, Duration.ofMillis(10), 1),
                limit(kind, 5, 5, Duration.ofMillis(1), 10),
                limit(kind, 40, 100, Duration.ofMillis(7), 7),
                limit(kind, 4_000, 4_000, Duration.ofMillis(1), 2));
    }

    private static Limit limit(Kind kind, long permits, long burst, Duration period, int slots) {
        boolean counter = kind.name().startsWith("SLIDING_WINDOW_COUNTER");
        return kind.named("orders")
                .permits(permits)
                .burst(kind.isBucket() ? burst : null)
                .slots(counter ? slots : null)
                .period(period)
                .build();
    }

    List<Step> steps(int count, long from) {
        List<Step> steps = new ArrayList<>();
        long now = from;
        for (int i = 0; i < count; i++) {
            now += pause();
            steps.add(new Step(now, cost(), maxWait()));
        }
        return steps;
    }

    /** Mostly short, sometimes to an edge, sometimes longer than anything is remembered. */
    private long pause() {
        long period = limit.periodMicros();
        return switch (random.nextInt(12)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> period / 2;
            case 3 -> period;
            case 4 -> random.nextInt(20) == 0 ? 3 * period + random.nextInt(1_000) : period / limit.permits();
            default -> Math.floorMod(random.nextLong(), Math.max(2, 2 * period / limit.permits()));
        };
    }

    private long cost() {
        return switch (random.nextInt(10)) {
            case 0 -> 1 + Math.floorMod(random.nextLong(), limit.burst());
            case 1, 2 -> 1 + Math.floorMod(random.nextLong(), Math.max(1, limit.burst() / 3));
            case 3 -> 2;
            default -> limit.burst() > 1_000 ? limit.burst() / 7 : 1;
        };
    }

    private long maxWait() {
        return switch (random.nextInt(4)) {
            case 0 -> Charge.LONGEST_WAIT_MICROS;
            case 1 -> Math.floorMod(random.nextLong(), 2 * limit.periodMicros());
            default -> 0;
        };
    }
}
