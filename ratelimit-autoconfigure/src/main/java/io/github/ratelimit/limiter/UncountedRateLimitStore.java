/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The store of an application that has limiting switched off: counts nothing and grants what is asked. */
public final class UncountedRateLimitStore implements RateLimitStore {

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        return CompletableFuture.completedFuture(uncounted(charges));
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        return CompletableFuture.completedFuture(new Reservation(uncounted(charges), List.of()));
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        return acquire(charges);
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        return CompletableFuture.completedFuture(new PartialGrant(charge.cost(), uncounted(List.of(charge))));
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        return CompletableFuture.completedFuture(0L);
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        return acquire(charges);
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return done();
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        return done();
    }

    private static CompletionStage<Void> done() {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        done.complete(null);
        return done;
    }

    private static Decision uncounted(List<Charge> charges) {
        List<Decision> parts = charges.stream()
                .<Decision>map(charge ->
                        new Uncounted(charge.limit().name(), charge.limit().plan()))
                .toList();
        return Decision.together(parts);
    }
}
