/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import io.github.ratelimit.Decision.Allowed;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Whether the call has to wait before it goes ahead. */
    public boolean waits() {
        return decision instanceof Allowed allowed && allowed.delayMicros() > 0;
    }

    /** The holds by which it is taken back: what a call got at once that was not made to wait is not lent, it is the call's. */
    public List<Hold> toTakeBack() {
        return waits()
                ? holds
                : holds.stream()
                        .map(hold -> hold.lent() == null || hold.lent().ended() ? hold : hold.lent(null))
                        .toList();
    }

    /**
     * A charge that was made, and when its permits are due.
     *
     * @param charge what was charged
     * @param dueMicros the store's time at which the call may go ahead, in microseconds, rounded down; in a window the
     *     instant at which it counts
     * @param dueFraction the rest, in {@link Limit#ticksPerMicro()} parts of a microsecond
     * @param lent when there is nothing left to take back of what a bucket gave at once; {@code null} where it made the
     *     call wait, where it paces, and in a window
     */
    public record Hold(
            Charge charge,
            long dueMicros,
            long dueFraction,
            @Nullable Lent lent) {

        /** A charge of which nothing is lent. */
        public Hold(Charge charge, long dueMicros, long dueFraction) {
            this(charge, dueMicros, dueFraction, null);
        }

        /** The same charge, lent like this. */
        Hold lent(@Nullable Lent lent) {
            return new Hold(charge, dueMicros, dueFraction, lent);
        }
    }

    /**
     * What a bucket gave a call at once that does not go ahead yet, if ever.
     *
     * <p>While the bucket is still as the charge left it, time repays charges in the order in which they were made: nothing is
     * left from the instant on at which the bucket will be full. Once others were charged, or have given back, nobody can say
     * any more when that would have been. Then time is taken to have repaid this charge before all others: so no more is ever
     * given back than the bucket would have had without it, whoever else gives up. But calls that are denied elsewhere a trip
     * later may come in such numbers that their trips' time together were all that the bucket gets: for these that instant
     * is still good, as long as there is anything left of the charge alone.
     *
     * @param fullMicros that instant, in microseconds of the store's time, rounded down; of an interval bucket a tick
     * @param fullFraction the rest, in {@link Limit#ticksPerMicro()} parts of a microsecond; of an interval bucket the permits
     *     of that tick that it does not need
     * @param ended whether the call has ended without going ahead; else it can be taken back only while the call waits
     */
    public record Lent(long fullMicros, long fullFraction, boolean ended) {}
}
