/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.util.List;

/**
 * A decision together with what is needed to take it back while its caller still waits.
 *
 * @param decision what was decided
 * @param holds what was charged, one per charge; empty unless the decision is {@link Decision.Allowed}
 */
public record Reservation(Decision decision, List<Hold> holds) {

    /** Copies the list. */
    public Reservation {
        holds = List.copyOf(holds);
    }

    /**
     * A charge that was made, and when its permits are due.
     *
     * @param charge what was charged
     * @param dueMicros the store's time at which the call may go ahead, in microseconds, rounded down; in a window the
     *     instant at which it counts
     * @param dueFraction the rest, in {@link Limit#ticksPerMicro()} parts of a microsecond
     */
    public record Hold(Charge charge, long dueMicros, long dueFraction) {}
}
