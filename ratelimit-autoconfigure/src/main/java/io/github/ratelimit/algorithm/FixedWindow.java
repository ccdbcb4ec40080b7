/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Anchor;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;

/**
 * Counts in windows of one period: those of the clock, or the one that the first grant opened.
 *
 * <p>It remembers where its window ends and how much was used in it. A window of the clock that ends later than the one
 * the clock shows means that the clock stepped back: the later window stays.
 */
final class FixedWindow extends Window {

    private long end = LONG_AGO;
    private long used;

    private long viewEnd;
    private long viewUsed;

    FixedWindow(Limit limit) {
        super(limit);
    }

    @Override
    boolean look(Limit limit, long now) {
        this.limit = limit;
        this.now = now;
        long period = limit.periodMicros();
        boolean believable = end - now <= period + DOUBT_MICROS;
        boolean ofTheClock = limit.anchor() == Anchor.CLOCK;
        long nextEnd = now + period - (ofTheClock ? Math.floorMod(now, period) : 0);
        boolean current = believable && (ofTheClock ? end >= nextEnd : end > now);
        viewEnd = current ? end : nextEnd;
        viewUsed = current ? used : 0;
        return believable;
    }

    @Override
    long spare() {
        return limit.permits() - viewUsed;
    }

    @Override
    long untilSpare(long cost) {
        return viewEnd - now;
    }

    @Override
    long resetAfter() {
        return viewUsed == 0 ? 0 : viewEnd - now;
    }

    @Override
    void take(long cost) {
        viewUsed += cost;
    }

    @Override
    void keep() {
        end = viewUsed == 0 ? LONG_AGO : viewEnd;
        used = viewUsed;
    }

    @Override
    long give(long permits) {
        long given = Math.min(permits, viewUsed);
        if (given > 0) {
            viewUsed -= given;
            keep();
        }
        return given;
    }

    /** As long as the window that was charged lasts. */
    @Override
    long takeBack(Hold hold) {
        boolean counts = hold.dueMicros() >= viewEnd - limit.periodMicros() && hold.dueMicros() < viewEnd;
        return counts ? give(hold.charge().cost()) : 0;
    }

    @Override
    Counter copy() {
        FixedWindow copy = new FixedWindow(limit);
        copy.end = end;
        copy.used = used;
        return copy;
    }
}
