/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** A breaker for each part of the shared store, so that a dead shard of a cluster keeps nobody from the others. */
final class Breakers {

    private final AtomicInteger notClosed = new AtomicInteger();
    private final Breaker[] all;

    /** Breakers that count themselves while they are not closed, in what they are given. */
    Breakers(Function<AtomicInteger, Breaker> breaker) {
        all = Stream.generate(() -> breaker.apply(notClosed))
                .limit(Remote.ROUTES)
                .toArray(Breaker[]::new);
    }

    Breaker of(int route) {
        return all[route];
    }

    /** The store is away, as somebody knows who did not ask through a breaker. */
    void openAll(long nowNanos) {
        for (Breaker breaker : all) {
            breaker.open(nowNanos);
        }
    }

    /** The store is back: what nobody has asked for since is no longer taken for away. */
    void closeUnasked(long nowNanos) {
        if (notClosed.get() != 0) {
            for (Breaker breaker : all) {
                breaker.closeIfUnasked(nowNanos);
            }
        }
    }

    boolean isAnyOpen() {
        return notClosed.get() != 0;
    }

    /** Asked for by every call that may be known to be denied; nearly always all are closed. */
    boolean isAnyKeepingAway(LongSupplier nanoClock) {
        return notClosed.get() != 0 && isAnyKeepingAway(nanoClock.getAsLong());
    }

    private boolean isAnyKeepingAway(long nowNanos) {
        for (Breaker breaker : all) {
            if (breaker.isKeepingAway(nowNanos)) {
                return true;
            }
        }
        return false;
    }
}
