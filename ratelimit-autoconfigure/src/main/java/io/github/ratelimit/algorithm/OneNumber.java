/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;

/**
 * The whole state of a bucket that refills steadily as one number, which can be swapped as a whole: the instant at which it
 * will be full, in ticks since 1970. Its arithmetic is that of {@link Greedy}.
 *
 * <p>The number is about a call that does not wait, and one set of numbers. What else a {@link Usage} may know (a lock, what other numbers see,
 * an instant that cannot be believed) it cannot say: a state that has any of these has no number.
 *
 * <p><b>Example.</b> 3 per second: a permit takes 1,000,000 ticks, a microsecond has 3. Full at 0 and charged at 10: the number
 * is 3 * 10 + 1,000,000, which is the microsecond 333,343 and one tick.
 */
public final class OneNumber {

    /** What is no number of any state: there is none, or it does not tell. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** Beyond so many ticks sums might not fit a long. */
    private static final long FURTHEST_TICKS = 1L << 61;

    private OneNumber() {}

    /** Whether an instant can be told in ticks. */
    private static boolean fits(Limit limit, long micros) {
        long ticks = micros * limit.ticksPerMicro();
        return Math.multiplyHigh(micros, limit.ticksPerMicro()) == ticks >> 63
                && ticks >= -FURTHEST_TICKS
                && ticks <= FURTHEST_TICKS;
    }

    /** The number of a state. */
    static long of(Limit limit, long fullAt, long rest) {
        if (limit.shadow() || limit.paced()) {
            return UNKNOWN;
        }
        if (fullAt == Counter.LONG_AGO) {
            return Counter.LONG_AGO;
        }
        boolean ownRest = rest < limit.ticksPerMicro(); // else it was written by other numbers, whose mark is the same
        return ownRest && fits(limit, fullAt) ? fullAt * limit.ticksPerMicro() + rest : UNKNOWN;
    }

    /** The instant of a number in whole microseconds. */
    static long fullAt(Limit limit, long number) {
        return number == Counter.LONG_AGO ? number : Math.floorDiv(number, limit.ticksPerMicro());
    }

    /** What belongs to the instant and is no whole microsecond. */
    static long rest(Limit limit, long number) {
        return number == Counter.LONG_AGO ? 0 : Math.floorMod(number, limit.ticksPerMicro());
    }

    /**
     * What becomes of a number that is asked for a cost of 1 or more: another number where that is granted, the same where it is
     * denied, {@link #UNKNOWN} where the number does not tell.
     */
    public static long asked(Limit limit, long number, long now, long cost) {
        if (number == UNKNOWN || !fits(limit, now)) {
            return UNKNOWN;
        }
        long debt = debt(limit, number, now);
        if (debt > limit.ticksWhenSpent()) {
            return UNKNOWN;
        }
        if (cost <= limit.burst() && Greedy.grants(limit, debt, cost, 0)) {
            return now * limit.ticksPerMicro() + debt + cost * limit.ticksPerPermit();
        }
        return limit.penalty().isZero() ? number : UNKNOWN;
    }

    /** The answer to a call that was granted, and left this number. */
    public static Decision granted(Limit limit, long number, long now, long cost) {
        return Answers.greedy(limit, cost, 0, Outcome.CHARGED, debt(limit, number, now), 0);
    }

    /** The answer to a call that was denied by this number. */
    public static Decision denied(Limit limit, long number, long now, long cost) {
        return Answers.greedy(limit, cost, 0, Outcome.DENIED, debt(limit, number, now), 0);
    }

    private static long debt(Limit limit, long number, long now) {
        return Math.max(0, number - now * limit.ticksPerMicro());
    }
}
