/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Limits from code, through the door. */
public final class DefaultRateLimiter implements RateLimiter {

    /** The caller waits for these stages itself: it does not matter who completes them. */
    private static final Executor ANYWHERE = Runnable::run;

    private final Door door;
    private final KeyCounters counters;

    /** A limiter behind this door. */
    public DefaultRateLimiter(Door door) {
        this.door = door;
        this.counters = door.keyCounters();
    }

    @Override
    public Decision tryAcquire(String limit, String key) {
        return tryAcquire(limit, key, 1);
    }

    @Override
    public Decision tryAcquire(String limit, String key, long cost) {
        return door.acquireBlocking(
                Objects.requireNonNull(limit, "limit"), null, Keys.check(limit, key), cost, Duration.ZERO, () -> {});
    }

    @Override
    public Decision acquire(String limit, String key, long cost, Duration maxWait) {
        Objects.requireNonNull(maxWait, "maxWait");
        if (door.onEventLoop()) {
            throw new IllegalStateException(("acquire may wait, and '%s' is an event-loop thread, which must not."
                            + " Use acquireAsync or ReactiveRateLimiter; tryAcquire does not wait.")
                    .formatted(Thread.currentThread().getName()));
        }
        return door.acquireBlocking(List.of(Keys.ask(limit, key, cost)), maxWait);
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String limit, String key) {
        return tryAcquireAsync(limit, key, 1);
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String limit, String key, long cost) {
        return acquireAsync(limit, key, cost, Duration.ZERO);
    }

    @Override
    public CompletionStage<Decision> acquireAsync(String limit, String key, long cost, Duration maxWait) {
        Objects.requireNonNull(maxWait, "maxWait");
        return door.acquire(List.of(Keys.ask(limit, key, cost)), maxWait);
    }

    @Override
    public Decision refund(String limit, String key, long cost) {
        return BlockingCall.await(counters.refund(Keys.ask(limit, key, cost), ANYWHERE), late -> {});
    }

    @Override
    public void reset(String limit, String key) {
        BlockingCall.await(counters.reset(Keys.ask(limit, key, 0), ANYWHERE), late -> {});
    }

    @Override
    public Decision peek(String limit, String key) {
        return BlockingCall.await(counters.peek(Keys.ask(limit, key, 1), ANYWHERE), late -> {});
    }
}
