/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testkit;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Two instances that call one key by different numbers, taking turns as chance has it, and the most they may be granted. */
public final class Switch {

    private static final int CALLS = 150;

    private final Kind kind;
    private final Random random;
    private final Limit one;
    private final Limit other;

    /** Asks for a cost by the numbers of one instance. */
    @FunctionalInterface
    public interface Instances {

        /** Whether it is granted. */
        boolean grant(long at, Limit numbers, long cost);
    }

    private Switch(Kind kind, String name, Random random) {
        this.kind = kind;
        this.random = random;
        this.one = numbers(kind.named(name)).build();
        this.other = numbers(one.with()).build();
    }

    /** Random numbers and calls. */
    public static Switch of(Kind kind, String name, long seed) {
        return new Switch(kind, name, new Random(seed));
    }

    /** Windows of another period are another counter. */
    private LimitBuilder numbers(LimitBuilder limit) {
        limit.permits(1 + random.nextInt(random.nextBoolean() ? 10 : 200));
        if (kind.isBucket()) {
            long[] millis = {1, 10, 700, 1_000, 60_000};
            return limit.burst(1L + random.nextInt(random.nextBoolean() ? 10 : 200))
                    .period(Duration.ofMillis(millis[random.nextInt(millis.length)]));
        }
        return limit.period(Duration.ofSeconds(1));
    }

    /** Makes the calls, and checks what was granted in every stretch of time. */
    public void play(long from, Instances instances) {
        List<long[]> granted = new ArrayList<>();
        long now = from;
        int often = 5 + random.nextInt(90);
        for (int i = 0; i < CALLS; i++) {
            now += pause();
            Limit numbers = random.nextInt(100) < often ? one : other;
            long cost = random.nextInt(4) > 0 ? 1 : 1 + random.nextInt((int) Math.min(numbers.burst(), 40));
            if (instances.grant(now, numbers, cost)) {
                granted.add(new long[] {now, cost});
            }
        }
        most().check(granted);
    }

    private long pause() {
        Limit numbers = random.nextBoolean() ? one : other;
        long permit = Math.max(1, numbers.periodMicros() / numbers.permits());
        return switch (random.nextInt(8)) {
            case 0 -> permit;
            case 1 -> random.nextInt((int) Math.min(Integer.MAX_VALUE, 4 * permit));
            case 2 -> random.nextInt(12) == 0 ? numbers.burst() * permit / 2 : 1;
            default -> 0;
        };
    }

    /** What the larger of the two numbers allow. */
    private Promise most() {
        if (!kind.isBucket()) {
            return Promise.of(kind, one.permits() > other.permits() ? one : other);
        }
        Limit slow = timeToFill(one) > timeToFill(other) ? one : other;
        Limit quick = slow.equals(one) ? other : one;
        // buckets that fill at ticks may be asked just before one and just after another
        long ticks = kind == Kind.TOKEN_BUCKET_INTERVAL ? one.periodMicros() + other.periodMicros() : 0;
        double rest = Math.max(0, 1 - rate(slow) / rate(quick));
        return (from, to) -> {
            long time = to - from + 1 + ticks;
            return slow.burst() + rate(slow) * time + rest * (quick.burst() + rate(quick) * time);
        };
    }

    private static double timeToFill(Limit limit) {
        return limit.burst() / rate(limit);
    }

    private static double rate(Limit limit) {
        return (double) limit.permits() / limit.periodMicros();
    }

    @Override
    public String toString() {
        return "%s burst %d, %s burst %d".formatted(one, one.burst(), other, other.burst());
    }
}
