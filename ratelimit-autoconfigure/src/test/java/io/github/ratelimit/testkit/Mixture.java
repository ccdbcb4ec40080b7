/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testkit;

import io.github.ratelimit.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Three instances that call one bucket by different numbers, of which two may share a mark. What they are granted in a
 * stretch of time takes no longer than the stretch and the longest time to fill.
 */
public final class Mixture {

    private static final long HOUR = 3_600_000_000L;

    private final Kind kind;
    private final Random random;
    private final boolean marksCollide;
    private final List<Limit> sets = new ArrayList<>();

    private Mixture(Kind kind, String name, long seed) {
        this.kind = kind;
        this.random = new Random(seed);
        this.marksCollide = seed % 2 == 1;
        for (int i = 0; i < 3; i++) {
            sets.add(numbers(name));
        }
        if (marksCollide) {
            sets.set(1, withMarkOf(sets.get(0), sets.get(1)));
        }
    }

    /** Random numbers and calls; of every second seed two sets of numbers share a mark. */
    public static Mixture of(Kind kind, String name, long seed) {
        return new Mixture(kind, name, seed);
    }

    private Limit numbers(String name) {
        long[] millis = {10, 700, 1_000, 4_000, 5_000, 60_000};
        return kind.named(name)
                .permits(1 + random.nextInt(random.nextInt(4) > 0 ? 20 : 200))
                .burst(1L + random.nextInt(random.nextInt(4) > 0 ? 20 : 200))
                .period(Duration.ofMillis(millis[random.nextInt(millis.length)]))
                .build();
    }

    /** The same rate, and such a burst that the marks are the same. */
    private static Limit withMarkOf(Limit one, Limit other) {
        Limit same = other;
        for (long burst = 1; same.fingerprint() != one.fingerprint(); burst++) {
            same = other.with().burst(burst).build();
        }
        return same;
    }

    /** Makes so many calls, and checks what was granted in every stretch of time. */
    public void play(long from, int calls, Switch.Instances instances) {
        double most = most();
        double level = 0;
        long now = from;
        for (int i = 0; i < calls; i++) {
            long pause = pause();
            now += pause;
            level = Math.max(0, level - pause);
            Limit numbers = sets.get(random.nextInt(sets.size()));
            long cost = random.nextInt(4) > 0 ? 1 : 1 + random.nextInt((int) Math.min(numbers.burst(), 40));
            if (instances.grant(now, numbers, cost)) {
                level += cost * permit(numbers);
                if (level > most) {
                    throw new AssertionError(
                            "call %d: %.0f us beyond the stretch granted, where %.0f may be".formatted(i, level, most));
                }
            }
        }
    }

    private long pause() {
        Limit numbers = sets.get(random.nextInt(sets.size()));
        long permit = (long) Math.max(1, permit(numbers));
        return switch (random.nextInt(8)) {
            case 0 -> permit;
            case 1 -> random.nextLong(4 * permit);
            case 2 -> random.nextInt(12) == 0 ? numbers.burst() * permit / 2 : 1;
            default -> 0;
        };
    }

    /** Microseconds; a few more for what is rounded. */
    private double most() {
        double most =
                1_000 + sets.stream().mapToDouble(Mixture::timeToFill).max().orElseThrow();
        // those whose mark is another's may take its instant for that of a clock that jumped, until all is paid
        if (marksCollide && Math.abs(timeToFill(sets.get(0)) - timeToFill(sets.get(1))) > HOUR) {
            most += sets.stream()
                    .limit(2)
                    .mapToDouble(Mixture::timeToFill)
                    .min()
                    .orElseThrow();
        }
        // buckets that fill at ticks may be asked just before one and just after another
        return kind == Kind.TOKEN_BUCKET_INTERVAL
                ? most + sets.stream().mapToLong(Limit::periodMicros).sum()
                : most;
    }

    private static double timeToFill(Limit limit) {
        return limit.burst() * permit(limit);
    }

    private static double permit(Limit limit) {
        return (double) limit.periodMicros() / limit.permits();
    }

    @Override
    public String toString() {
        return String.join(
                ", ",
                sets.stream()
                        .map(limit -> "%s burst %d".formatted(limit, limit.burst()))
                        .toList());
    }
}
