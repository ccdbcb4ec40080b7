/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Refill;

/**
 * A denial that is known to hold for a while. Its answer stands in here, and is no object of its own: one place less to fetch
 * from memory.
 *
 * @param stamp the key's stamp when the question was sent
 * @param untilNanos until when it holds for certain
 * @param lookNanos when to look whether it still holds
 * @param heardNanos when it was heard; the times it tells began before
 */
record Known(
        Limit limit,
        String key,
        int stamp,
        long cost,
        long untilNanos,
        long lookNanos,
        long heardNanos,
        long remaining,
        long resetAfterMicros,
        long retryAfterMicros) {

    /** What {@link #longerFor} answers where that cannot be said. */
    static final long UNKNOWN = -1;

    static final long NANOS_PER_MICRO = 1_000;

    /** For two clocks that run at slightly different speeds. */
    private static final long TOLERANCE_MICROS = 10_000;

    /** Longer than any clock runs; two instants can still be subtracted. */
    private static final long EVER_NANOS = 1L << 62;

    boolean holdsFor(Limit other, String otherKey, long now, int stampNow) {
        return untilNanos - now > 0 && stamp == stampNow && isOf(other, otherKey);
    }

    boolean isOf(Limit other, String otherKey) {
        return key.equals(otherKey) && limit.equals(other);
    }

    /** Whether it is of that counter, by these numbers or by others. */
    boolean isOfCounter(Charge charge) {
        return key.equals(charge.key()) && limit.name().equals(charge.limit().name());
    }

    /** The call that was denied. */
    Charge charge() {
        return Charge.of(limit, key, cost);
    }

    /** Whether a later denial of that call is this one, only older, and not one that has come to end later. */
    boolean isOnlyOlderIn(Denied later, long laterSentNanos) {
        long since = (laterSentNanos - heardNanos) / NANOS_PER_MICRO;
        return later.retryAfterMicros() <= retryAfterMicros - since + TOLERANCE_MICROS;
    }

    /** The answer now, to a call that has to wait so much longer. */
    Denied again(long now, long moreMicros) {
        long since = Math.max(0, now - heardNanos) / NANOS_PER_MICRO;
        return new Denied(
                limit,
                DenialReason.PERMITS_SPENT,
                remaining,
                resetAfterMicros - since,
                retryAfterMicros - since + moreMicros);
    }

    /** How much longer that cost has to wait, in microseconds, where this can be said. */
    long longerFor(long otherCost) {
        boolean steady = limit.algorithm() == Algorithm.LEAKY_BUCKET
                || (limit.algorithm() == Algorithm.TOKEN_BUCKET && limit.refill() == Refill.GREEDY);
        if (!steady || otherCost < cost || otherCost > limit.burst()) {
            return UNKNOWN;
        }
        long ticks = (otherCost - cost) * limit.ticksPerPermit();
        return (ticks + limit.ticksPerMicro() - 1) / limit.ticksPerMicro();
    }

    /** The same, which nobody looks after any more. */
    Known lookedAfter() {
        return ending(untilNanos, untilNanos);
    }

    /** The same, which holds for nobody yet. */
    Known notYet() {
        return ending(heardNanos - EVER_NANOS, lookNanos);
    }

    private Known ending(long until, long look) {
        return new Known(
                limit, key, stamp, cost, until, look, heardNanos, remaining, resetAfterMicros, retryAfterMicros);
    }
}
