/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.parity;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Random limits: small ones, and such as are hard to count exactly. */
final class Numbers {

    private static final long MILLION = 1_000_000;
    private static final long MONTH_MILLIS = Duration.ofDays(31).toMillis();
    private static final long[][] HARD = {
        {1, MONTH_MILLIS, MILLION},
        {999_983, MONTH_MILLIS, MILLION},
        {MILLION, MONTH_MILLIS, MILLION},
        {MILLION, MONTH_MILLIS, 1},
        {1_000_000_000, Duration.ofDays(30).toMillis(), 1_000_000_000},
        {999_999_937, 1_000, 1_000_000},
        {700_000, 1_000, 1},
        {MILLION, 86_400_000, MILLION},
        {MILLION, 1, MILLION},
        {1, 1, 1},
        {3, 1_000, 3},
        {7, 10_000, 5},
        {1, 1_000, 1},
        {2, 1_000, 9},
    };
    private static final List<Integer> SLOTS = List.of(1, 2, 3, 4, 5, 7, 8, 10, 60, 100, 1_000);

    private final Dice dice;

    Numbers(Dice dice) {
        this.dice = dice;
    }

    /** A limit of this kind. */
    Limit limit(Kind kind, String name) {
        return accepted(() -> {
            LimitBuilder limit = numbers(kind.named(name), kind.isBucket());
            if (kind == Kind.SLIDING_WINDOW_COUNTER || kind == Kind.SLIDING_WINDOW_COUNTER_WEIGHTED) {
                limit.slots(dice.oneOf(SLOTS));
            }
            if (dice.percent(25)) {
                limit.penalty(penalty());
            }
            return limit.shadow(dice.percent(8));
        });
    }

    /** Other numbers for a limit: those that may change without making it another counter. */
    Limit changed(Limit limit) {
        return accepted(() -> {
            LimitBuilder changed = limit.algorithm().isBucket()
                    ? numbers(limit.with(), true)
                    : limit.with().permits(dice.upTo(dice.percent(50) ? 20 : MILLION));
            if (limit.algorithm() == Algorithm.LEAKY_BUCKET) {
                changed.pace(dice.percent(50));
            }
            return changed.penalty(dice.percent(25) ? penalty() : Duration.ZERO).shadow(dice.percent(8));
        });
    }

    private Duration penalty() {
        return Duration.ofMillis(dice.upTo(dice.percent(10) ? MONTH_MILLIS : 60_000));
    }

    /** The first that is accepted. */
    private static Limit accepted(Supplier<LimitBuilder> attempts) {
        return Stream.generate(attempts).flatMap(Numbers::built).findFirst().orElseThrow();
    }

    private static Stream<Limit> built(LimitBuilder limit) {
        try {
            return Stream.of(limit.build());
        } catch (InvalidLimitException notAccepted) {
            return Stream.empty();
        }
    }

    private LimitBuilder numbers(LimitBuilder limit, boolean bucket) {
        if (dice.percent(40)) {
            long[] hard = HARD[dice.below(HARD.length)];
            limit.permits(hard[0]).period(Duration.ofMillis(hard[1]));
            return bucket ? limit.burst(hard[2]) : limit;
        }
        boolean small = dice.percent(60);
        limit.permits(dice.upTo(small ? 20 : MILLION)).period(Duration.ofMillis(dice.upTo(MONTH_MILLIS)));
        return bucket ? limit.burst(dice.upTo(small ? 20 : MILLION)) : limit;
    }
}
