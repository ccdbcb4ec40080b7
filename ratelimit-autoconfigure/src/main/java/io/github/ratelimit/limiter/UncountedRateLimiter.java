/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The limiter of an application that has limiting switched off: lets everything pass, knows no store and no limits. */
public final class UncountedRateLimiter implements RateLimiter {

    @Override
    public Decision tryAcquire(String limit, String key) {
        return uncounted(limit);
    }

    @Override
    public Decision tryAcquire(String limit, String key, long cost) {
        return uncounted(limit);
    }

    @Override
    public Decision acquire(String limit, String key, long cost, Duration maxWait) {
        return uncounted(limit);
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String limit, String key) {
        return CompletableFuture.completedFuture(uncounted(limit));
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String limit, String key, long cost) {
        return CompletableFuture.completedFuture(uncounted(limit));
    }

    @Override
    public CompletionStage<Decision> acquireAsync(String limit, String key, long cost, Duration maxWait) {
        return CompletableFuture.completedFuture(uncounted(limit));
    }

    @Override
    public Decision refund(String limit, String key, long cost) {
        return uncounted(limit);
    }

    @Override
    public void reset(String limit, String key) {
        // there is no state to forget
    }

    @Override
    public Decision peek(String limit, String key) {
        return uncounted(limit);
    }

    private static Decision uncounted(String limit) {
        return new Decision.Uncounted(limit, null);
    }
}
