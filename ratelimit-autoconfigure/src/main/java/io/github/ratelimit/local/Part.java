/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Reservation.Hold;
import java.util.List;

/** One counter's part of a call. */
final class Part {

    final Cell cell;
    Charge charge;
    private boolean grants;

    Part(Cell cell, Charge charge) {
        this.cell = cell;
        this.charge = charge;
    }

    /** Whether this counter grants its charge. */
    boolean asks() {
        grants = cell.usage.grants(charge.cost(), charge.maxWaitMicros());
        return grants;
    }

    /** This counter's answer, now that the whole call's is known; adds what it was charged to the holds. */
    Decision answer(boolean callGranted, List<Hold> holds) {
        if (!grants) {
            return cell.usage.deny(charge.cost(), charge.maxWaitMicros());
        }
        if (!callGranted) {
            return cell.usage.spare(charge.cost());
        }
        Decision answer = cell.usage.charge(charge.cost(), charge.maxWaitMicros());
        if (charge.cost() > 0) {
            holds.add(cell.usage.hold(charge));
        }
        return answer;
    }

    /** Another charge of the same counter: together they are one. */
    void add(Charge other) {
        charge = charge.plus(other);
    }
}
