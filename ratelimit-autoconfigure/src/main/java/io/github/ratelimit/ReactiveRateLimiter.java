/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Limits from reactive code: the reactive twin of {@link RateLimiter}, with its names and its answers.
 *
 * <p>Decided anew for every subscription, never before. What is wrong with a call is an error signal. Waiting blocks no
 * thread; cancelling a subscription that waits gives back what nobody reserved after it. No signal arrives on a thread of
 * the store's client.
 */
public interface ReactiveRateLimiter {

    /** Takes one permit if it is there now; never delayed. */
    Mono<Decision> tryAcquire(String limit, String key);

    /** Takes {@code cost} permits if they are there now; never delayed. */
    Mono<Decision> tryAcquire(String limit, String key, long cost);

    /** Takes {@code cost} permits, and emits when the call may go ahead: at most {@code maxWait} later, else denied at once. */
    Mono<Decision> acquire(String limit, String key, long cost, Duration maxWait);

    /** Gives permits back, newest grants first, never past unused; emits what is there now. */
    Mono<Decision> refund(String limit, String key, long cost);

    /**
     * Forgets a key, on every plan: its counters are unused again and a penalty is lifted. Fails with a
     * {@link RateLimitStoreException} if nothing was forgotten, since the store cannot answer.
     */
    Mono<Void> reset(String limit, String key);

    /** The state of a key, changing nothing, as {@link RateLimiter#peek} tells it. */
    Mono<Decision> peek(String limit, String key);
}
