/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store that stands in front of another and hands on what it has nothing to say about. */
abstract class StoreInFront implements RateLimitStore {

    final RateLimitStore store;

    StoreInFront(RateLimitStore store) {
        this.store = store;
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        return store.acquire(charges);
    }

    @Override
    public Decision.@Nullable Denied knownDenial(Limit limit, String key, long cost) {
        return store.knownDenial(limit, key, cost);
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        return store.reserve(charges);
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        return store.peek(charges);
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        return store.acquireUpTo(charge);
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        return store.cancel(reservation);
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        return store.refund(charges);
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return store.reset(limit, key);
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        return store.lock(limit, key, duration);
    }
}
