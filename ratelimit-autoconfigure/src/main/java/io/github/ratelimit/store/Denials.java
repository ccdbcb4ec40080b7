/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The denials that are known to hold, in a fixed number of places: eight for each key, shared with other keys. A flood of
 * keys takes places away, and the store is asked instead; it gains nothing else.
 *
 * <p><b>Given back.</b> A denial carries the stamp that its key had when the question was sent; giving something back changes
 * the stamp, so what was asked before is never believed afterwards, even if it is heard only then. Keys share stamps.
 *
 * <p><b>Granted.</b> A grant ends later what was denied before it. It takes the denials of its key away, and is counted: who hears
 * of one between question and answer does not remember the answer, for the grant may have been decided after it. A denial takes its
 * place first, then looks whether a grant was counted, and only then holds; a grant is counted first, then looks at the places.
 * So one of them sees the other. Keys share counts, too.
 */
final class Denials {

    static final long LONGEST_NANOS = 1_000_000_000;

    /** When somebody looks whether a denial that ends later still holds: soon enough to know before it has to be forgotten. */
    static final long LOOK_AFTER_NANOS = LONGEST_NANOS * 3 / 4;

    static final int PLACES = 1 << 16;

    /** With two, of ten thousand keys one of 26 would have its places taken by others. */
    static final int WAYS = 8;

    /** Longer keys are not remembered: so many places times this is what the memory can hold on to. */
    static final int LONGEST_KEY = 256;

    private static final int STAMPS = 1 << 10;

    /** Grants are frequent: so many that those of other keys hardly ever come between a question and its answer. */
    private static final int GRANTS = 1 << 14;

    private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);
    private final AtomicIntegerArray stamps = new AtomicIntegerArray(STAMPS);
    private final AtomicIntegerArray grants = new AtomicIntegerArray(GRANTS);
    private final BiConsumer<Known, Denials> look;

    /**
     * Remembers nothing yet.
     *
     * @param look told, once, of a denial that is still being repeated and will have to be forgotten before it ends
     */
    Denials(BiConsumer<Known, Denials> look) {
        this.look = look;
    }

    /** What has happened to a key until now: its stamp, and how many grants. To be read before the question is sent. */
    long mark(Charge charge) {
        int hash = hash(charge.limit(), charge.key());
        return ((long) grants.get(hash & (GRANTS - 1)) << Integer.SIZE)
                | Integer.toUnsignedLong(stamps.get(hash & (STAMPS - 1)));
    }

    /** Whatever was asked about a key until now is not to be believed any more. */
    void forget(Limit limit, String key) {
        stamps.incrementAndGet(hash(limit, key) & (STAMPS - 1));
    }

    /** A grant: what is known of this key still holds, but would be told too early an end. */
    void postpone(Charge granted) {
        int hash = hash(granted.limit(), granted.key());
        grants.incrementAndGet(hash & (GRANTS - 1));
        for (int way = 0; way < WAYS; way++) {
            int place = place(hash, way);
            Known known = places.get(place);
            while (known != null && known.isOfCounter(granted)) {
                places.compareAndSet(place, known, null);
                known = places.get(place);
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
                long more = known.cost() == cost ? 0 : known.longerFor(cost);
                if (more != Known.UNKNOWN) {
                    return repeat(place, known, now, more);
                }
            }
        }
        return null;
    }

    private Denied repeat(int place, Known known, long now, long more) {
        if (known.lookNanos() - now <= 0 && places.compareAndSet(place, known, known.lookedAfter())) {
            look.accept(known, this);
        }
        return known.again(now, more);
    }

    /** Keeps the denial of a charge, by these very numbers, in place of one of the same call, else of the one that ends first. */
    void remember(Charge charge, long mark, long sent, long heard, Denied denied) {
        if (charge.key().length() > LONGEST_KEY) {
            return;
        }
        boolean endsInTime = denied.retryAfterMicros() <= LONGEST_NANOS / Known.NANOS_PER_MICRO;
        long until = sent + (endsInTime ? denied.retryAfterMicros() * Known.NANOS_PER_MICRO : LONGEST_NANOS);
        Known known = new Known(
                charge.limit(),
                charge.key(),
                (int) mark,
                charge.cost(),
                until,
                endsInTime ? until : sent + LOOK_AFTER_NANOS,
                heard,
                denied.remaining(),
                denied.resetAfterMicros(),
                denied.retryAfterMicros());
        Known notYet = known.notYet();
        int place = placeFor(charge, heard);
        places.set(place, notYet);
        places.compareAndSet(place, notYet, mark == mark(charge) ? known : null);
    }

    /** That of the same call, else an empty one, else the one whose denial ends first. */
    private int placeFor(Charge charge, long now) {
        int hash = hash(charge.limit(), charge.key());
        int best = place(hash, 0);
        long bestLeft = Long.MAX_VALUE;
        for (int way = 0; way < WAYS; way++) {
            int place = place(hash, way);
            Known known = places.get(place);
            if (known != null && known.cost() == charge.cost() && known.isOf(charge.limit(), charge.key())) {
                return place;
            }
            long left = known == null ? Long.MIN_VALUE : known.untilNanos() - now;
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
