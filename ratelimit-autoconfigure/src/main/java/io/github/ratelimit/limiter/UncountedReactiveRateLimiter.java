/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;
import io.github.ratelimit.ReactiveRateLimiter;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** The reactive twin of {@link UncountedRateLimiter}. */
public final class UncountedReactiveRateLimiter implements ReactiveRateLimiter {

    @Override
    public Mono<Decision> tryAcquire(String limit, String key) {
        return uncounted(limit);
    }

    @Override
    public Mono<Decision> tryAcquire(String limit, String key, long cost) {
        return uncounted(limit);
    }

    @Override
    public Mono<Decision> acquire(String limit, String key, long cost, Duration maxWait) {
        return uncounted(limit);
    }

    @Override
    public Mono<Decision> refund(String limit, String key, long cost) {
        return uncounted(limit);
    }

    @Override
    public Mono<Void> reset(String limit, String key) {
        return Mono.empty();
    }

    @Override
    public Mono<Decision> peek(String limit, String key) {
        return uncounted(limit);
    }

    private static Mono<Decision> uncounted(String limit) {
        return Mono.just(new Decision.Uncounted(limit, null));
    }
}
