/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that answers at once, and always yes: what is left is the gate. */
final class InstantStore implements RateLimitStore {

    private final CompletableFuture<Decision> yes;

    InstantStore(Limit limit) {
        this.yes = CompletableFuture.completedFuture(new Decision.Allowed(limit, 1, 0, 0));
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        return yes;
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        return yes;
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        throw new UnsupportedOperationException();
    }
}
