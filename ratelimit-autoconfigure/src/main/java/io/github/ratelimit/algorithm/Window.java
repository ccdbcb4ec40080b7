/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;

/** What the three windows have in common: they grant at once or not at all, and hold no reservations. */
abstract class Window extends Counter {

    Window(Limit limit) {
        super(limit);
    }

    /** How many permits are left; below 0 when the limit's numbers have become smaller. */
    abstract long spare();

    /** How long until this cost is granted, which is more than what is left. */
    abstract long untilSpare(long cost);

    /** How long until nothing is used. */
    abstract long resetAfter();

    @Override
    final boolean isUnused() {
        return resetAfter() == 0;
    }

    @Override
    final boolean grants(long cost, long patience) {
        return cost <= spare();
    }

    @Override
    final long remaining() {
        return Math.max(0, spare());
    }

    @Override
    final Decision answer(long cost, long patience, Outcome outcome, long lockMicros) {
        boolean counts = outcome == Outcome.DENIED && cost <= limit.burst();
        long retryAfter = counts && !grants(cost, patience) ? untilSpare(cost) : 0;
        return Answers.window(limit, cost, outcome, remaining(), retryAfter, resetAfter(), lockMicros);
    }

    @Override
    final Hold hold(Charge charge) {
        return Answers.windowHold(charge, now, resetAfter());
    }
}
