/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.Reservation.Lent;

/**
 * A token bucket that refills at the ticks of the clock; {@link Interval} is its arithmetic.
 *
 * <p>It is full at a tick, and the rest is how many permits of that tick it will not need (the slack). The deficit at a
 * tick {@code m} ticks earlier is {@code m * permits - slack}.
 */
final class IntervalBucket extends Bucket {

    private long tick;
    private long deficit;

    IntervalBucket(Limit limit) {
        super(limit);
    }

    @Override
    boolean restIsTime() {
        return false;
    }

    @Override
    Numbers numbers() {
        return new Numbers(limit.burst(), limit.periodMicros(), limit.permits());
    }

    @Override
    boolean look(Limit limit, long now) {
        long fullAt = see(limit, now);
        tick = now - Math.floorMod(now, limit.periodMicros());
        deficit = 0;
        boolean believable = true;
        if (fullAt > now) {
            if (isOwn()) {
                believable = fullAt - now <= furthest();
                if (believable) {
                    deficit = Math.max(0, ticksUntil(fullAt) * limit.permits() - rest());
                } else {
                    disbelieve();
                }
            } else if (wroteBefore()) {
                seeAtMost(limit.burst() + permitsSinceTick(), movedDeficit(fullAt), fullAt);
            } else {
                seeAtMost(limit.burst(), deficit(ticksUntil(fullAt), 0), fullAt);
            }
        }
        settle();
        return believable;
    }

    private void seeAtMost(long most, long seen, long fullAt) {
        deficit = Math.min(most, seen);
        if (seen > most) {
            cut(fullAt);
        }
    }

    /** Numbers that have cut what others moved may have been a part of a tick beyond a whole bucket. */
    private long furthest() {
        long ticks = Whole.ceil(limit.burst(), limit.permits()) + (hasOtherViews() ? 1 : 0);
        return ticks * limit.periodMicros() + DOUBT_MICROS;
    }

    private long ticksUntil(long fullAt) {
        return Whole.ceil(fullAt - tick, limit.periodMicros());
    }

    /** What the time since the last tick is worth: a bucket that is empty now lacks so much more at that tick. */
    private long permitsSinceTick() {
        return (long) Math.ceil((double) (now - tick) * limit.permits() / limit.periodMicros());
    }

    /** What so many ticks bring less the slack; a number too large for the bucket and a tick may be any such number. */
    private long deficit(long ticks, long slack) {
        long most = limit.burst() + limit.permits();
        return ticks > (most + slack) / limit.permits() ? most + 1 : Math.max(0, ticks * limit.permits() - slack);
    }

    /** What these numbers wrote and others have moved: full between two ticks. */
    private long movedDeficit(long fullAt) {
        long ahead = fullAt - tick;
        double part = (double) (ahead % limit.periodMicros()) * limit.permits() / limit.periodMicros();
        return deficit(ahead / limit.periodMicros(), rest() - (long) Math.ceil(part));
    }

    @Override
    boolean grants(long cost, long patience) {
        return Interval.waitMicros(limit, deficit + cost, now - tick) <= patience;
    }

    @Override
    long remaining() {
        return Interval.remaining(limit, deficit);
    }

    @Override
    boolean isFull() {
        return deficit == 0;
    }

    @Override
    void take(long cost) {
        deficit += cost;
        moved((long) Math.ceil(partOfATick(cost)) + cost / limit.permits() * limit.periodMicros());
    }

    /**
     * The microseconds of what is no whole tick's permits. Only others' views depend on it, so what a double loses of the
     * product of a million permits and a month is nothing.
     */
    private double partOfATick(long permits) {
        return (double) (permits % limit.permits()) * limit.periodMicros() / limit.permits();
    }

    @Override
    void keep() {
        long ticks = Whole.ceil(deficit, limit.permits());
        keep(tick + ticks * limit.periodMicros(), ticks * limit.permits() - deficit);
    }

    @Override
    long give(long permits) {
        long given = Math.min(permits, deficit);
        if (given > 0) {
            deficit -= given;
            moved(-((long) Math.floor(partOfATick(given)) + given / limit.permits() * limit.periodMicros()));
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

    /** While others wait behind it, or the clock is back before the charge, nothing is taken. */
    @Override
    long takeBack(long cost, long at, Lent lent) {
        if (at > now || deficit > limit.burst()) {
            return 0;
        }
        long unpaid = deficit(Math.max(0, ticksUntil(lent.fullMicros())), lent.fullFraction());
        long alone = Math.max(0, cost - repaidFirst(cost, at));
        long left = lent.ended() && alone > 0 ? Math.min(cost, unpaid) : alone;
        return give(deficit == unpaid ? cost : left);
    }

    /** What ticks have repaid of a charge, had they repaid nothing else since; perhaps more than all of it. */
    private long repaidFirst(long cost, long at) {
        long ticks = Math.floorDiv(tick, limit.periodMicros()) - Math.floorDiv(at, limit.periodMicros());
        return Math.min(ticks, cost) * limit.permits();
    }

    @Override
    Counter copy() {
        return copyTo(new IntervalBucket(limit));
    }
}
