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

/** A token bucket or a leaky bucket that refills steadily; {@link Greedy} is its arithmetic. The rest is a part of a microsecond, in ticks. */
final class GreedyBucket extends Bucket {

    /** The debt in ticks; below 0 it says how long the bucket has been full, as far as two microseconds. */
    private long level;

    GreedyBucket(Limit limit) {
        super(limit);
    }

    @Override
    boolean restIsTime() {
        return true;
    }

    @Override
    Numbers numbers() {
        return new Numbers(limit.burst(), limit.ticksPerPermit(), limit.ticksPerMicro());
    }

    @Override
    boolean look(Limit limit, long now) {
        long fullAt = see(limit, now);
        long ahead = fullAt - now;
        boolean believable = true;
        if (isOwn()) {
            believable = ahead <= DOUBT_MICROS || ahead <= furthest(limit);
            level = believable ? ticks(ahead) + Math.min(rest(), limit.ticksPerMicro()) : 0;
            if (!believable) {
                disbelieve();
            }
        } else if (ahead > Whole.floor(limit.ticksWhenSpent(), limit.ticksPerMicro())) {
            level = limit.ticksWhenSpent();
            cut(fullAt);
        } else {
            level = ticks(ahead);
        }
        settle();
        return believable;
    }

    /** Bounded on both sides: above by what was checked before, below because full is full. */
    private long ticks(long micros) {
        return Math.max(micros, -2) * limit.ticksPerMicro();
    }

    /** How far ahead the instant can be: a whole bucket and the longest wait. */
    private static long furthest(Limit limit) {
        return Whole.ceil(limit.ticksWhenSpent(), limit.ticksPerMicro()) + DOUBT_MICROS;
    }

    private long debt() {
        return Math.max(0, level);
    }

    /** {@inheritDoc} Without a division. */
    @Override
    boolean grants(long cost, long patience) {
        return Greedy.grants(limit, debt(), cost, patience);
    }

    @Override
    long remaining() {
        return Greedy.remaining(limit, debt());
    }

    @Override
    boolean isFull() {
        return debt() == 0;
    }

    @Override
    void take(long cost) {
        level = debt() + cost * limit.ticksPerPermit();
        if (hasOtherViews()) {
            moved(Whole.ceil(cost * limit.ticksPerPermit(), limit.ticksPerMicro()));
        }
    }

    @Override
    void keep() {
        long micros = Whole.floor(debt(), limit.ticksPerMicro());
        keep(now + micros, debt() - micros * limit.ticksPerMicro());
    }

    @Override
    long give(long permits) {
        long given = Math.min(permits, Whole.ceil(debt(), limit.ticksPerPermit()));
        giveTicks(Math.min(debt(), given * limit.ticksPerPermit()));
        return given;
    }

    private void giveTicks(long ticks) {
        if (ticks > 0) {
            level = debt() - ticks;
            moved(-(ticks / limit.ticksPerMicro()));
            keep();
        }
    }

    @Override
    Decision answer(long cost, long patience, Outcome outcome, long lockMicros) {
        return Answers.greedy(limit, cost, patience, outcome, debt(), lockMicros);
    }

    @Override
    Hold hold(Charge charge) {
        return Answers.greedyHold(charge, now, debt());
    }

    /**
     * A charge filled the bucket up to a level that is paid off at its due instant plus the capacity (paced: plus its own
     * cost). What the level holds beyond that was reserved after it and stays.
     */
    @Override
    long stillFree(Hold hold) {
        long dueIn = hold.dueMicros() - now;
        if (dueIn < (hold.dueFraction() > 0 ? -1 : 0)) {
            return 0;
        }
        long cost = hold.charge().cost();
        long dueTicks = Math.min(dueIn, furthest(limit)) * limit.ticksPerMicro() + hold.dueFraction();
        long own = Greedy.paces(limit) ? cost * limit.ticksPerPermit() : limit.ticksWhenSpent();
        long after = Math.max(0, level - (dueTicks + own));
        return Math.max(0, cost - Whole.ceil(after, limit.ticksPerPermit()));
    }

    /**
     * While others wait behind it, or the clock is back before the charge, nothing is taken; nor once the bucket would be full,
     * had nobody come later. Until then it is no longer than a whole bucket takes, so what of that is over and what is left fit in ticks.
     */
    @Override
    long takeBack(long cost, long at, Lent lent) {
        long ahead = lent.fullMicros() - now;
        if (at > now || ahead < 0 || debt() > limit.ticksWhenSpent()) {
            return 0;
        }
        long charged = Math.min(cost, limit.burst()) * limit.ticksPerPermit();
        long unpaid = ahead * limit.ticksPerMicro() + lent.fullFraction();
        long alone = charged - (now - at) * limit.ticksPerMicro();
        long left = lent.ended() && alone > 0 ? Math.min(charged, unpaid) : alone;
        long ticks = Math.max(0, Math.min(debt(), debt() == unpaid ? charged : left));
        giveTicks(ticks);
        return Whole.ceil(ticks, limit.ticksPerPermit());
    }

    @Override
    long number() {
        return numberOfInstant();
    }

    @Override
    void become(long number) {
        becomeInstant(number);
    }

    @Override
    Counter copy() {
        return copyTo(new GreedyBucket(limit));
    }
}
