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
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The denials that are known to hold, in a fixed number of places: eight for each key, shared with other keys. A flood of
 * keys takes places away, and the store is asked instead; it gains nothing else.
 *
 * <p>Nothing is ever removed. A denial carries the stamp that its key had when the question was sent; giving something
 * back changes the stamp, so what was asked before is never believed afterwards, even if it is heard only then. Keys
 * share stamps, too.
 */
final class Denials {

    static final long LONGEST_NANOS = 1_000_000_000;

    /** When somebody looks whether a denial that ends later still holds: soon enough to know before it has to be forgotten. */
    static final long LOOK_AFTER_NANOS = LONGEST_NANOS * 3 / 4;

    static final int PLACES = 1 << 16;

    /** With two, of ten thousand keys one of 26 would have its places taken by others. */
    static final int WAYS = 8;

    /** For two clocks that run at slightly different speeds. */
    private static final long TOLERANCE_MICROS = 10_000;

    /** Longer keys are not remembered: so many places times this is what the memory can hold on to. */
    static final int LONGEST_KEY = 256;

    private static final int STAMPS = 1 << 10;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long UNKNOWN = -1;

    private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);
    private final AtomicIntegerArray stamps = new AtomicIntegerArray(STAMPS);
    private final BiConsumer<Known, Denials> look;

    /**
     * Remembers nothing yet.
     *
     * @param look told, once, of a denial that is still being repeated and will have to be forgotten before it ends
     */
    Denials(BiConsumer<Known, Denials> look) {
        this.look = look;
    }

    /**
     * A denial. Its answer stands in here, and is no object of its own: one place less to fetch from memory.
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

        boolean holdsFor(Limit other, String otherKey, long now, int stampNow) {
            return untilNanos - now > 0 && stamp == stampNow && isOf(other, otherKey);
        }

        boolean isOf(Limit other, String otherKey) {
            return key.equals(otherKey) && limit.equals(other);
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

        /** The same, which nobody looks after any more. */
        Known lookedAfter() {
            return new Known(
                    limit,
                    key,
                    stamp,
                    cost,
                    untilNanos,
                    untilNanos,
                    heardNanos,
                    remaining,
                    resetAfterMicros,
                    retryAfterMicros);
        }
    }

    /** What a key's denials have to carry from now on. To be read before the question is sent. */
    int stamp(Charge charge) {
        return stamps.get(hash(charge.limit(), charge.key()) & (STAMPS - 1));
    }

    /** Whatever was asked about a key until now is not to be believed any more. */
    void forget(Limit limit, String key) {
        stamps.incrementAndGet(hash(limit, key) & (STAMPS - 1));
    }

    /** A grant: what is known of this key still holds, but would be told too early an end. */
    void postpone(Charge granted) {
        int hash = hash(granted.limit(), granted.key());
        int stamp = stamps.get(hash & (STAMPS - 1));
        for (int way = 0; way < WAYS; way++) {
            Known known = places.get(place(hash, way));
            if (known != null && known.stamp == stamp && known.key.equals(granted.key())) {
                forget(granted.limit(), granted.key());
                return;
            }
        }
    }

    /** The answer to a call that is known to be denied. */
    @Nullable
    Denied recall(Limit limit, String key, long cost, long now) {
        int hash = hash(limit, key);
        int stamp = stamps.get(hash & (STAMPS - 1));
        for (int way = 0; way < WAYS; way++) {
            int place = place(hash, way);
            Known known = places.get(place);
            if (known != null && known.holdsFor(limit, key, now, stamp)) {
                long more = known.cost == cost ? 0 : longer(known, cost);
                if (more != UNKNOWN) {
                    return repeat(place, known, now, more);
                }
            }
        }
        return null;
    }

    private Denied repeat(int place, Known known, long now, long more) {
        if (known.lookNanos - now <= 0 && places.compareAndSet(place, known, known.lookedAfter())) {
            look.accept(known, this);
        }
        return known.again(now, more);
    }

    /** How much longer a higher cost has to wait, in microseconds, where this can be said. */
    private static long longer(Known denied, long cost) {
        Limit limit = denied.limit;
        boolean steady = limit.algorithm() == Algorithm.LEAKY_BUCKET
                || (limit.algorithm() == Algorithm.TOKEN_BUCKET && limit.refill() == Refill.GREEDY);
        if (!steady || cost < denied.cost || cost > limit.burst()) {
            return UNKNOWN;
        }
        long ticks = (cost - denied.cost) * limit.ticksPerPermit();
        return (ticks + limit.ticksPerMicro() - 1) / limit.ticksPerMicro();
    }

    /** Keeps the denial of a charge, by these very numbers, in place of one of the same call, else of the one that ends first. */
    void remember(Charge charge, int stamp, long sent, long heard, Denied denied) {
        boolean endsInTime = denied.retryAfterMicros() <= LONGEST_NANOS / NANOS_PER_MICRO;
        long until = sent + (endsInTime ? denied.retryAfterMicros() * NANOS_PER_MICRO : LONGEST_NANOS);
        if (charge.key().length() > LONGEST_KEY) {
            return;
        }
        places.set(
                placeFor(charge, heard),
                new Known(
                        charge.limit(),
                        charge.key(),
                        stamp,
                        charge.cost(),
                        until,
                        endsInTime ? until : sent + LOOK_AFTER_NANOS,
                        heard,
                        denied.remaining(),
                        denied.resetAfterMicros(),
                        denied.retryAfterMicros()));
    }

    /** That of the same call, else an empty one, else the one whose denial ends first. */
    private int placeFor(Charge charge, long now) {
        int hash = hash(charge.limit(), charge.key());
        int best = place(hash, 0);
        long bestLeft = Long.MAX_VALUE;
        for (int way = 0; way < WAYS; way++) {
            int place = place(hash, way);
            Known known = places.get(place);
            if (known != null && known.cost == charge.cost() && known.isOf(charge.limit(), charge.key())) {
                return place;
            }
            long left = known == null ? Long.MIN_VALUE : known.untilNanos - now;
            if (left < bestLeft) {
                best = place;
                bestLeft = left;
            }
        }
        return best;
    }

    /** Side by side, and the first of them another for each key. */
    private static int place(int hash, int way) {
        return (hash & (PLACES - 1)) ^ way;
    }

    /** By the counter, whatever its numbers: what is given back under one number is given back under all. */
    private static int hash(Limit limit, String key) {
        int hash = 31 * limit.name().hashCode() + key.hashCode();
        hash *= 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }
}
