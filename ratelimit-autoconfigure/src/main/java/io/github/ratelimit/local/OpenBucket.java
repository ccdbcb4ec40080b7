/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.OneNumber;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A bucket whose state is {@link OneNumber}, which threads that all want it charge without a lock.
 *
 * <p><b>Exact.</b> A grant swaps the number it saw for the next. It read the clock shortly before; who was granted later than that and
 * came first has left a later instant, from which it goes on. A denial is decided anew if the number is no longer the one
 * it saw before it read the clock: as if it had held a lock for that time.
 *
 * <p>What the number does not tell it does not answer. Then somebody {@linkplain #close() closes} it for good, and goes on under
 * the lock with what it leaves.
 */
final class OpenBucket {

    private final Limit limit;
    private final OneNumber state;
    private final AtomicLong number;

    OpenBucket(Limit limit, long number) {
        this.limit = limit;
        this.state = new OneNumber(limit);
        this.number = new AtomicLong(number);
    }

    /**
     * Decides a call that does not wait, of a cost of 1 or more.
     *
     * @return {@code null}: that has to be decided under the lock
     */
    @Nullable
    Decision decide(Limit numbers, long cost, LongSupplier microsClock) {
        if (!numbers.equals(limit)) {
            return null;
        }
        long now = microsClock.getAsLong();
        while (true) {
            long seen = number.get();
            long next = state.asked(seen, now, cost);
            if (next == OneNumber.UNKNOWN) {
                return null;
            }
            if (next == seen) {
                return decideAt(cost, microsClock);
            }
            if (number.compareAndSet(seen, next)) {
                return state.granted(next, now, cost);
            }
        }
    }

    /** At an instant at which the number was this. */
    private @Nullable Decision decideAt(long cost, LongSupplier microsClock) {
        while (true) {
            long seen = number.get();
            long now = microsClock.getAsLong();
            long next = state.asked(seen, now, cost);
            if (next == OneNumber.UNKNOWN) {
                return null;
            }
            if (number.compareAndSet(seen, next)) {
                return next == seen ? state.denied(seen, now, cost) : state.granted(next, now, cost);
            }
        }
    }

    /** Lets nobody charge it any more; returns what has become of the number. */
    long close() {
        return number.getAndSet(OneNumber.UNKNOWN);
    }
}
