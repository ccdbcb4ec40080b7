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
 * What one key has used, by one algorithm. Not safe for use by several threads.
 *
 * <p>A counter is first {@linkplain #look looked at}: that works out a view of its state at an instant, by the numbers of
 * a limit. Questions and {@link #take} concern that view only; {@link #keep} makes the view the state. So a call that was
 * merely asked, or denied, leaves no trace. {@link #give} and {@link #takeBack} are not asked
 * beforehand and change the state at once.
 */
abstract class Counter {

    /** How far a stored instant may lie beyond what the numbers explain before the clock is not believed. */
    static final long DOUBT_MICROS = 3_600_000_000L;

    /** An instant before all others, from which any instant can still be subtracted. */
    static final long LONG_AGO = Long.MIN_VALUE / 2;

    /** The numbers of the last look. */
    Limit limit;

    /** The instant of the last look. */
    long now;

    Counter(Limit limit) {
        this.limit = limit;
    }

    static Counter unused(Limit limit) {
        return switch (limit.algorithm()) {
            case FIXED_WINDOW -> new FixedWindow(limit);
            case SLIDING_WINDOW_LOG -> new SlidingLog(limit);
            case SLIDING_WINDOW_COUNTER -> new SlidingCounter(limit);
            case LEAKY_BUCKET -> new GreedyBucket(limit);
            case TOKEN_BUCKET ->
                switch (limit.refill()) {
                    case GREEDY -> new GreedyBucket(limit);
                    case INTERVAL -> new IntervalBucket(limit);
                };
        };
    }

    /**
     * Sees the state at an instant by the numbers of a limit.
     *
     * @return whether the state can be believed; one that cannot is seen as unused
     */
    abstract boolean look(Limit limit, long now);

    /** Whether a call of this cost and patience is granted now. */
    abstract boolean grants(long cost, long patience);

    /** How many calls of cost 1 would be granted now. */
    abstract long remaining();

    /** Whether nothing is used. */
    abstract boolean isUnused();

    /** Charges the view. */
    abstract void take(long cost);

    /** Makes the view the state; the next use looks again. */
    abstract void keep();

    /** Whether the view holds less than the state because the limit's numbers have become smaller. */
    boolean cut() {
        return false;
    }

    /**
     * Gives permits back, newest grants first, never past unused.
     *
     * @return how many were given back
     */
    abstract long give(long permits);

    /** The answer to a call, from the view. */
    abstract Decision answer(long cost, long patience, Outcome outcome, long lockMicros);

    /** What a charge just taken needs to be taken back. */
    abstract Hold hold(Charge charge);

    /**
     * Takes a charge back as far as nobody has reserved after it.
     *
     * @return how many permits were given back
     */
    abstract long takeBack(Hold hold);

    /** The state as {@link OneNumber}, where it has one and the last look was by the numbers that wrote it. */
    long number() {
        return OneNumber.UNKNOWN;
    }

    /** Goes on with what that number has become. */
    void become(long number) {
        throw new IllegalStateException("It has no number.");
    }

    /** A counter of its own that holds no less than this one, in constant space. */
    abstract Counter copy();
}
