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
 * A token bucket or a leaky bucket that refills steadily; {@link Greedy} is its arithmetic.
 *
 * <p>All it remembers is the instant at which it will be full: whole microseconds and a fraction in ticks, and the mark
 * of the numbers that wrote them. An instant needs no upkeep: time alone empties the debt. Under other numbers the
 * instant stays, at most a whole bucket ahead, so nobody gets a fresh bucket and nobody waits longer than the new numbers
 * imply.
 */
final class GreedyBucket extends Counter {

    private long fullAt = LONG_AGO;
    private long fraction;
    private int mark = -1;

    /** The debt in ticks; below 0 it says how long the bucket has been full, as far as two microseconds. */
    private long level;

    private boolean cut;

    GreedyBucket(Limit limit) {
        super(limit);
    }

    @Override
    boolean look(Limit limit, long now) {
        this.limit = limit;
        this.now = now;
        this.cut = false;
        long ahead = fullAt - now;
        if (mark == limit.fingerprint()) {
            boolean believable = ahead <= DOUBT_MICROS || ahead <= furthest(limit);
            level = believable ? ticks(ahead) + Math.min(fraction, limit.ticksPerMicro()) : 0;
            return believable;
        }
        long rounded = fraction > 0 ? ahead + 1 : ahead;
        cut = rounded > limit.ticksWhenSpent() / limit.ticksPerMicro();
        level = cut ? limit.ticksWhenSpent() : ticks(rounded);
        return true;
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

    @Override
    long retryAfter(long cost, long patience) {
        return Greedy.retryAfter(limit, debt(), cost, patience);
    }

    @Override
    long remaining() {
        return Greedy.remaining(limit, debt());
    }

    @Override
    boolean isUnused() {
        return debt() == 0;
    }

    @Override
    void take(long cost) {
        level = debt() + cost * limit.ticksPerPermit();
    }

    @Override
    void keep() {
        fullAt = debt() == 0 ? LONG_AGO : now + debt() / limit.ticksPerMicro();
        fraction = debt() % limit.ticksPerMicro();
        mark = limit.fingerprint();
    }

    @Override
    boolean cut() {
        return cut;
    }

    @Override
    long give(long permits) {
        long given = Math.min(permits, Whole.ceil(debt(), limit.ticksPerPermit()));
        if (given > 0) {
            level = Math.max(0, debt() - given * limit.ticksPerPermit());
            keep();
        }
        return given;
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

    @Override
    Counter copy() {
        GreedyBucket copy = new GreedyBucket(limit);
        copy.fullAt = fullAt;
        copy.fraction = fraction;
        copy.mark = mark;
        return copy;
    }
}
