/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;

/**
 * What a bucket that refills steadily answers at a given debt.
 *
 * <p><b>Model.</b> The debt is the time the bucket needs until it is full, in ticks; {@code p} ticks bring one permit, a
 * microsecond has {@code n} ticks, and {@code capacity = burst * p}. A grant of {@code c} permits adds {@code c * p} to
 * the debt; time pays it off. Nothing is ever rounded but the answers, and those up.
 *
 * <p><b>Example.</b> 3 per second: a permit takes 1,000,000 / 3 microseconds, so p = 1,000,000 and n = 3. With a burst of
 * 3 the capacity is 3,000,000 ticks. Two grants at one instant leave a debt of 2,000,000 ticks: one permit remains, and
 * the bucket is full after ceil(2,000,000 / 3) = 666,667 microseconds.
 *
 * <p><b>A token bucket and the plain meter</b> grant at once what fits: {@code debt + c * p <= capacity}. What exceeds the
 * capacity must be paid off first: that is the wait. <b>A paced leaky bucket</b> lets a call depart when the debt before
 * it is paid off, and refuses what does not fit.
 *
 * <p><b>Bounds.</b> {@code capacity} is at most 10^6 * 2.68 * 10^12 (a million permits of 31 days each) = 2.7 * 10^18
 * with n up to 10^6, or below 2^53 with n up to 10^9 ({@code LimitRules}). The debt is at most capacity + n * (1 h + 1
 * microsecond): 3.6 * 10^9 * n is 3.6 * 10^15 or 3.6 * 10^18. Debt + c * p therefore stays below 5.5 * 10^18, and a long
 * holds 9.2 * 10^18.
 */
final class Greedy {

    private Greedy() {}

    static long remaining(Limit limit, long debt) {
        return Math.max(0, Whole.floor(limit.ticksWhenSpent() - debt, limit.ticksPerPermit()));
    }

    static long resetAfter(Limit limit, long debt) {
        return Whole.ceil(debt, limit.ticksPerMicro());
    }

    /** How long a charge has to wait that left this debt behind; without a division for who need not, as nearly all. */
    static long delay(Limit limit, long debtAfter, long cost) {
        long ticks = delayTicks(limit, debtAfter, cost);
        return ticks == 0 ? 0 : Whole.ceil(ticks, limit.ticksPerMicro());
    }

    /** The same in ticks. */
    static long delayTicks(Limit limit, long debtAfter, long cost) {
        return paces(limit)
                ? debtAfter - cost * limit.ticksPerPermit()
                : Math.max(0, debtAfter - limit.ticksWhenSpent());
    }

    /** Whether a call is granted now, no more patient than {@link Charge} lets it be; without a division. */
    static boolean grants(Limit limit, long debt, long cost, long patience) {
        return paces(limit)
                ? excessTicks(limit, debt, cost) <= 0 && debt <= patience * limit.ticksPerMicro()
                : excessTicks(limit, debt, cost) <= patience * limit.ticksPerMicro();
    }

    /** How long until a call is granted; 0 or less: it is granted now. */
    static long retryAfter(Limit limit, long debt, long cost, long patience) {
        long excess = Whole.ceil(excessTicks(limit, debt, cost), limit.ticksPerMicro());
        return paces(limit) ? Math.max(excess, Whole.ceil(debt, limit.ticksPerMicro()) - patience) : excess - patience;
    }

    /** Whether a denial is for lack of permits; else the permits would come, but too late for the caller. */
    static boolean spent(Limit limit, long debt, long cost, long patience) {
        return paces(limit) ? excessTicks(limit, debt, cost) > 0 : patience == 0;
    }

    /** What the charge would add beyond the capacity. */
    private static long excessTicks(Limit limit, long debt, long cost) {
        return debt + cost * limit.ticksPerPermit() - limit.ticksWhenSpent();
    }

    /** Whether calls wait for their departure; a shadow limit only meters. */
    static boolean paces(Limit limit) {
        return limit.paced() && !limit.shadow();
    }
}
