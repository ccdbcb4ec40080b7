/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.OneNumber;
import io.github.ratelimit.algorithm.Usage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A bucket whose state is {@link OneNumber}, which is charged without a lock.
 *
 * <p><b>Exact.</b> A grant swaps the number it saw for the next. It read the clock shortly before; who was granted later than that and
 * came first has left a later instant, from which it goes on. A denial is decided anew if the number is no longer the one
 * that was there before the clock was read: as if it had held a lock for that time.
 *
 * <p>What the number does not tell it does not answer. Then somebody closes it, goes on under the lock with what it leaves, and
 * opens it again: for the numbers of one limit only, so that a number always means the same.
 */
final class OpenBucket extends AtomicLong {

    private static final long serialVersionUID = 1L;

    private final transient Limit limit;

    private OpenBucket(Limit limit, long number) {
        super(number);
        this.limit = limit;
    }

    /**
     * What is left open of a counter: the same bucket as before where the limit is the same.
     *
     * @return {@code null}: one number does not tell what is used
     */
    static @Nullable OpenBucket leftOpen(@Nullable OpenBucket before, Usage usage) {
        long number = usage.number();
        if (number == OneNumber.UNKNOWN) {
            return null;
        }
        if (before == null || !before.limit.equals(usage.limit())) {
            return new OpenBucket(usage.limit(), number);
        }
        before.setRelease(number);
        return before;
    }

    boolean isOpen() {
        return get() != OneNumber.UNKNOWN;
    }

    /**
     * Decides a call that does not wait, of a cost of 1 or more.
     *
     * @param guessedDenied whether it will probably be denied: then the number is read ahead of the clock as well. If the guess is
     *     wrong a grant takes longer where threads meet, since the number has to come from another processor twice, or a denial
     *     reads the clock twice
     * @return {@code null}: that has to be decided under the lock
     */
    @Nullable
    Decision decide(boolean guessedDenied, Limit numbers, long cost, LongSupplier microsClock) {
        long before = guessedDenied ? get() : OneNumber.UNKNOWN;
        long now = microsClock.getAsLong();
        if (!numbers.equals(
                limit)) { // lies beside the number, and comes with it from another processor: not ahead of the clock
            return null;
        }
        while (true) {
            long seen = get();
            long next = OneNumber.asked(limit, seen, now, cost);
            if (next == OneNumber.UNKNOWN) {
                return null;
            }
            if (next != seen) {
                if (compareAndSet(seen, next)) {
                    return OneNumber.granted(limit, next, now, cost);
                }
            } else if (seen == before) {
                return OneNumber.denied(limit, seen, now, cost);
            } else {
                before = seen;
                now = microsClock.getAsLong();
            }
        }
    }

    /** Lets nobody charge it; the counter goes on with what has become of the number. */
    void closeInto(Usage usage) {
        long number = getAndSet(OneNumber.UNKNOWN);
        if (number != OneNumber.UNKNOWN) {
            usage.become(number);
        }
    }
}
