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
import org.jspecify.annotations.Nullable;

/**
 * The denials that are known to hold, in a fixed number of places: two for each key, shared with other keys. A flood of
 * keys takes places away, and the store is asked instead; it gains nothing else.
 *
 * <p>Nothing is ever removed. A denial carries the stamp that its key had when the question was sent; giving something
 * back changes the stamp, so what was asked before is never believed afterwards, even if it is heard only then. Keys
 * share stamps, too.
 */
final class Denials {

    static final long LONGEST_NANOS = 1_000_000_000;
    static final int PLACES = 1 << 16;

    /** Longer keys are not remembered: so many places times this is what the memory can hold on to. */
    static final int LONGEST_KEY = 256;

    private static final int STAMPS = 1 << 10;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long UNKNOWN = -1;

    private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);
    private final AtomicIntegerArray stamps = new AtomicIntegerArray(STAMPS);

    /**
     * A denial.
     *
     * @param stamp the key's stamp when the question was sent
     * @param untilNanos until when it holds for certain
     * @param heardNanos when it was heard; the times it tells began before
     */
    private record Known(
            Limit limit, String key, long cost, int stamp, long untilNanos, long heardNanos, Denied denied) {

        boolean holdsFor(Limit other, String otherKey, long now, int stampNow) {
            return untilNanos - now > 0 && stamp == stampNow && isOf(other, otherKey);
        }

        boolean isOf(Limit other, String otherKey) {
            return key.equals(otherKey) && limit.equals(other);
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
        int place = hash & (PLACES - 1);
        if (isOfKey(granted, places.get(place), stamp) || isOfKey(granted, places.get(place ^ 1), stamp)) {
            forget(granted.limit(), granted.key());
        }
    }

    /** The answer to a call that is known to be denied. */
    @Nullable
    Denied recall(Limit limit, String key, long cost, long now) {
        int hash = hash(limit, key);
        int stamp = stamps.get(hash & (STAMPS - 1));
        int place = hash & (PLACES - 1);
        Known one = places.get(place);
        Denied answer = one != null && one.holdsFor(limit, key, now, stamp) ? answer(one, cost, now) : null;
        if (answer != null) {
            return answer;
        }
        Known other = places.get(place ^ 1);
        return other != null && other.holdsFor(limit, key, now, stamp) ? answer(other, cost, now) : null;
    }

    private static @Nullable Denied answer(Known known, long cost, long now) {
        long more = known.cost == cost ? 0 : longer(known, cost);
        return more == UNKNOWN ? null : again(known, now, more);
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

    private static Denied again(Known known, long now, long more) {
        Denied denied = known.denied;
        long since = Math.max(0, now - known.heardNanos) / NANOS_PER_MICRO;
        return new Denied(
                denied.definition(),
                DenialReason.PERMITS_SPENT,
                denied.remaining(),
                denied.resetAfterMicros() - since,
                denied.retryAfterMicros() - since + more);
    }

    /** Keeps a denial in place of one of the same call, else of the one that ends first. */
    void remember(Charge charge, int stamp, long sent, long heard, Denied denied) {
        long until = sent + Math.min(denied.retryAfterMicros(), LONGEST_NANOS / NANOS_PER_MICRO) * NANOS_PER_MICRO;
        if (charge.key().length() > LONGEST_KEY) {
            return;
        }
        int place = hash(charge.limit(), charge.key()) & (PLACES - 1);
        Known one = places.get(place);
        Known other = places.get(place ^ 1);
        boolean first = isOf(charge, one) || (!isOf(charge, other) && endsFirst(one, other, heard));
        places.set(
                first ? place : place ^ 1,
                new Known(charge.limit(), charge.key(), charge.cost(), stamp, until, heard, denied));
    }

    private static boolean isOfKey(Charge charge, @Nullable Known known, int stamp) {
        return known != null && known.stamp == stamp && known.key.equals(charge.key());
    }

    private static boolean isOf(Charge charge, @Nullable Known known) {
        return known != null && known.cost == charge.cost() && known.isOf(charge.limit(), charge.key());
    }

    private static boolean endsFirst(@Nullable Known one, @Nullable Known other, long now) {
        if (one == null || other == null) {
            return one == null;
        }
        return one.untilNanos - now <= other.untilNanos - now;
    }

    /** By the counter, whatever its numbers: what is given back under one number is given back under all. */
    private static int hash(Limit limit, String key) {
        int hash = 31 * limit.name().hashCode() + key.hashCode();
        hash *= 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }
}
