/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.Reservation.Lent;

/**
 * Decisions from numbers: every store counts in its own way, and all of them answer through here.
 *
 * <p>What holds for every algorithm is said once: a cost of 0 has no delay, a cost above the capacity is never granted,
 * and a locked key has nothing remaining, whatever its counter says.
 */
public final class Answers {

    private Answers() {}

    /**
     * The answer of a greedy token bucket or a leaky bucket.
     *
     * @param debtTicks what is missing from a full bucket after the decision, in ticks
     * @param lockMicros what is left of the key's lock after the decision; 0: not locked
     */
    public static Decision greedy(
            Limit limit, long cost, long maxWaitMicros, Outcome outcome, long debtTicks, long lockMicros) {
        long remaining = Greedy.remaining(limit, debtTicks);
        long resetAfter = Greedy.resetAfter(limit, debtTicks);
        if (outcome != Outcome.DENIED) {
            boolean waits = outcome == Outcome.CHARGED && cost > 0;
            return allowed(limit, remaining, resetAfter, waits ? Greedy.delay(limit, debtTicks, cost) : 0, lockMicros);
        }
        if (cost > limit.burst()) {
            return tooCostly(limit, remaining, resetAfter, lockMicros);
        }
        long retryAfter = Greedy.retryAfter(limit, debtTicks, cost, patience(limit, maxWaitMicros));
        boolean spent = Greedy.spent(limit, debtTicks, cost, patience(limit, maxWaitMicros));
        return denied(limit, reason(spent), remaining, resetAfter, retryAfter, lockMicros);
    }

    /**
     * The answer of a token bucket that refills in intervals.
     *
     * @param deficit how many permits were missing at the last tick, after the decision
     * @param sinceTickMicros how long ago the last tick was
     * @param lockMicros what is left of the key's lock after the decision; 0: not locked
     */
    public static Decision interval(
            Limit limit,
            long cost,
            long maxWaitMicros,
            Outcome outcome,
            long deficit,
            long sinceTickMicros,
            long lockMicros) {
        long remaining = Interval.remaining(limit, deficit);
        long resetAfter = Interval.resetAfter(limit, deficit, sinceTickMicros);
        if (outcome != Outcome.DENIED) {
            boolean waits = outcome == Outcome.CHARGED && cost > 0;
            long delay = waits ? Interval.waitMicros(limit, deficit, sinceTickMicros) : 0;
            return allowed(limit, remaining, resetAfter, delay, lockMicros);
        }
        if (cost > limit.burst()) {
            return tooCostly(limit, remaining, resetAfter, lockMicros);
        }
        long patience = patience(limit, maxWaitMicros);
        long retryAfter = Interval.waitMicros(limit, deficit + cost, sinceTickMicros) - patience;
        return denied(limit, reason(patience == 0), remaining, resetAfter, retryAfter, lockMicros);
    }

    /**
     * The answer of a window, which has worked out its numbers itself.
     *
     * @param retryAfterMicros when the same call is granted; counts only if the window denied
     * @param lockMicros what is left of the key's lock after the decision; 0: not locked
     */
    public static Decision window(
            Limit limit,
            long cost,
            Outcome outcome,
            long remaining,
            long retryAfterMicros,
            long resetAfterMicros,
            long lockMicros) {
        if (outcome != Outcome.DENIED) {
            return allowed(limit, remaining, resetAfterMicros, 0, lockMicros);
        }
        if (cost > limit.burst()) {
            return tooCostly(limit, remaining, resetAfterMicros, lockMicros);
        }
        return denied(limit, DenialReason.PERMITS_SPENT, remaining, resetAfterMicros, retryAfterMicros, lockMicros);
    }

    /** What a greedy or leaky bucket was charged, from the debt after it. */
    public static Hold greedyHold(Charge charge, long now, long debtTicks) {
        long ticks = Greedy.delayTicks(charge.limit(), debtTicks, charge.cost());
        long ticksPerMicro = charge.limit().ticksPerMicro();
        Lent lent = ticks > 0 || Greedy.paces(charge.limit())
                ? null
                : new Lent(now + debtTicks / ticksPerMicro, debtTicks % ticksPerMicro, false);
        return new Hold(charge, now + ticks / ticksPerMicro, ticks % ticksPerMicro, lent);
    }

    /** What an interval bucket was charged, from the deficit after it. */
    public static Hold intervalHold(Charge charge, long now, long deficit) {
        Limit limit = charge.limit();
        long sinceTick = Math.floorMod(now, limit.periodMicros());
        long wait = Interval.waitMicros(limit, deficit, sinceTick);
        Lent lent = wait > 0
                ? null
                : new Lent(now + Interval.resetAfter(limit, deficit, sinceTick), Interval.slack(limit, deficit), false);
        return new Hold(charge, now + wait, 0, lent);
    }

    /**
     * What a window was charged, from the time until it is unused after it: windows do not wait. The hold names an instant
     * of the window, slot or entry that was charged, which lies ahead where the clock has stepped back.
     */
    public static Hold windowHold(Charge charge, long now, long resetAfterMicros) {
        Limit limit = charge.limit();
        long counted = limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER
                ? limit.periodMicros() + limit.slotMicros()
                : limit.periodMicros();
        return new Hold(charge, Math.max(now, now + resetAfterMicros - counted), 0);
    }

    /** How long this limit makes a call wait at most: a shadow limit never delays. */
    static long patience(Limit limit, long maxWaitMicros) {
        return limit.shadow() ? 0 : maxWaitMicros;
    }

    private static Decision allowed(Limit limit, long remaining, long resetAfter, long delay, long lock) {
        return new Allowed(limit, lock > 0 ? 0 : remaining, Math.max(resetAfter, lock), delay);
    }

    private static Decision tooCostly(Limit limit, long remaining, long resetAfter, long lock) {
        return new Denied(
                limit,
                DenialReason.COST_EXCEEDS_CAPACITY,
                lock > 0 ? 0 : remaining,
                Math.max(resetAfter, lock),
                Denied.NEVER);
    }

    private static Decision denied(
            Limit limit, DenialReason reason, long remaining, long resetAfter, long retryAfter, long lock) {
        return lock > 0
                ? new Denied(limit, DenialReason.PENALTY, 0, Math.max(resetAfter, lock), Math.max(retryAfter, lock))
                : new Denied(limit, reason, remaining, resetAfter, retryAfter);
    }

    private static DenialReason reason(boolean spent) {
        return spent ? DenialReason.PERMITS_SPENT : DenialReason.WAIT_TOO_LONG;
    }
}
