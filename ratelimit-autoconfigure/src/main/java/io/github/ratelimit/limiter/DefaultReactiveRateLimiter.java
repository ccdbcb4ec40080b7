/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;
import io.github.ratelimit.ReactiveRateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Limits from reactive code, through the door. An answer that did not come at once arrives on the parallel scheduler. */
public final class DefaultReactiveRateLimiter implements ReactiveRateLimiter {

    private static final Executor PARALLEL = task -> Schedulers.parallel().schedule(task);

    private final Door door;
    private final KeyCounters counters;

    /** A limiter behind this door. */
    public DefaultReactiveRateLimiter(Door door) {
        this.door = door;
        this.counters = door.keyCounters();
    }

    @Override
    public Mono<Decision> tryAcquire(String limit, String key) {
        return tryAcquire(limit, key, 1);
    }

    @Override
    public Mono<Decision> tryAcquire(String limit, String key, long cost) {
        return acquire(limit, key, cost, Duration.ZERO);
    }

    @Override
    public Mono<Decision> acquire(String limit, String key, long cost, Duration maxWait) {
        Objects.requireNonNull(maxWait, "maxWait");
        return deferred(() -> door.acquire(List.of(Keys.ask(limit, key, cost)), maxWait, PARALLEL));
    }

    @Override
    public Mono<Decision> refund(String limit, String key, long cost) {
        return deferred(() -> counters.refund(Keys.ask(limit, key, cost), PARALLEL));
    }

    @Override
    public Mono<Void> reset(String limit, String key) {
        return deferred(() -> counters.reset(Keys.ask(limit, key, 0), PARALLEL));
    }

    @Override
    public Mono<Decision> peek(String limit, String key) {
        return deferred(() -> counters.peek(Keys.ask(limit, key, 1), PARALLEL));
    }

    /** Starts anew for every subscription, as part of its request; a cancelled subscription cancels the future. */
    private static <T> Mono<T> deferred(Supplier<CompletableFuture<T>> call) {
        return Mono.deferContextual(context -> {
            ServedRequest request = context.getOrDefault(PresentRequest.KEY, null);
            return Mono.fromFuture(() -> PresentRequest.during(request, call));
        });
    }
}
