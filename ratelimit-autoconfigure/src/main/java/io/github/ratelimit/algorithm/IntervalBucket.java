/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;

/**
 * A token bucket that refills at the ticks of the clock; {@link Interval} is its arithmetic.
 *
 * <p>It remembers the tick at which it will be full, how many permits of that tick it will not need (the slack), and the
 * mark of the numbers that wrote them. The deficit at a tick {@code m} ticks earlier is {@code m * permits - slack}.
 */
final class IntervalBucket extends Counter {

    private long fullAt = LONG_AGO;
    private long slack;
    private int mark = -1;

    private long tick;
    private long deficit;
    private boolean cut;

    IntervalBucket(Limit limit) {
        super(limit);
    }

    @Override
    boolean look(Limit limit, long now) {
        this.limit = limit;
        this.now = now;
        this.tick = now - Math.floorMod(now, limit.periodMicros());
        this.cut = false;
        this.deficit = 0;
        if (fullAt <= now) {
            return true;
        }
        if (mark == limit.fingerprint()) {
            long furthest = Whole.ceil(limit.burst(), limit.permits()) * limit.periodMicros() + DOUBT_MICROS;
            boolean believable = fullAt - now <= furthest;
            deficit = believable ? Math.max(0, ticksUntilFull() * limit.permits() - slack) : 0;
            return believable;
        }
        long ticks = ticksUntilFull();
        cut = ticks > limit.burst() / limit.permits();
        deficit = cut ? limit.burst() : ticks * limit.permits();
        return true;
    }

    private long ticksUntilFull() {
        return Whole.ceil(fullAt - tick, limit.periodMicros());
    }

    @Override
    long retryAfter(long cost, long patience) {
        return Interval.waitMicros(limit, deficit + cost, now - tick) - patience;
    }

    @Override
    long remaining() {
        return Interval.remaining(limit, deficit);
    }

    @Override
    boolean isUnused() {
        return deficit == 0;
    }

    @Override
    void take(long cost) {
        deficit += cost;
    }

    @Override
    void keep() {
        long ticks = Whole.ceil(deficit, limit.permits());
        fullAt = deficit == 0 ? LONG_AGO : tick + ticks * limit.periodMicros();
        slack = ticks * limit.permits() - deficit;
        mark = limit.fingerprint();
    }

    @Override
    boolean cut() {
        return cut;
    }

    @Override
    long give(long permits) {
        long given = Math.min(permits, deficit);
        if (given > 0) {
            deficit -= given;
            keep();
        }
        return given;
    }

    @Override
    Decision answer(long cost, long patience, Outcome outcome, long lockMicros) {
        return Answers.interval(limit, cost, patience, outcome, deficit, now - tick, lockMicros);
    }

    @Override
    Hold hold(Charge charge) {
        return Answers.intervalHold(charge, now, deficit);
    }

    /** Up to the due instant the ticks bring what the charge and those before it need; the rest was reserved after it. */
    @Override
    long stillFree(Hold hold) {
        if (now > hold.dueMicros()) {
            return 0;
        }
        long dueTicks = Math.floorDiv(hold.dueMicros() - tick, limit.periodMicros());
        long enough = Whole.ceil(deficit, limit.permits());
        long after = deficit - limit.burst() - Math.min(dueTicks, enough) * limit.permits();
        return Math.max(0, hold.charge().cost() - Math.max(0, after));
    }

    @Override
    Counter copy() {
        IntervalBucket copy = new IntervalBucket(limit);
        copy.fullAt = fullAt;
        copy.slack = slack;
        copy.mark = mark;
        return copy;
    }
}
