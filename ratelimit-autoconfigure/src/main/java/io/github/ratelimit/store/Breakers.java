/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.util.function.Supplier;
import java.util.stream.Stream;

/** A breaker for each part of the shared store, so that a dead shard of a cluster keeps nobody from the others. */
final class Breakers {

    private final Breaker[] all;

    Breakers(Supplier<Breaker> breaker) {
        all = Stream.generate(breaker).limit(Remote.ROUTES).toArray(Breaker[]::new);
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

    boolean isAnyKeepingAway(long nowNanos) {
        for (Breaker breaker : all) {
            if (breaker.isKeepingAway(nowNanos)) {
                return true;
            }
        }
        return false;
    }
}
