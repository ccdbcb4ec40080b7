/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** A steadfast store before one that the test holds, with all clocks in the test's hand. */
final class Scene {

    static final String KEY = "alice";
    static final Duration TIMEOUT = Duration.ofMillis(250);

    private static final long START_MICROS = 1_700_000_000_000_000L;

    final AtomicLong nanos = new AtomicLong(42);
    final AtomicLong micros = new AtomicLong(START_MICROS);
    final LocalRateLimitStore redis = new LocalRateLimitStore(micros::get, 10_000);
    final LocalRateLimitStore local = new LocalRateLimitStore(micros::get, 10_000);
    final HeldStore shared = new HeldStore(redis);
    final Queue<String> heard = new ConcurrentLinkedQueue<>();
    final SteadfastStore store;

    Scene() {
        this(1.0);
    }

    Scene(double localShare) {
        this(localShare, Carrier.NONE);
    }

    Scene(Carrier carrier) {
        this(1.0, carrier);
    }

    private Scene(double localShare, Carrier carrier) {
        store = new SteadfastStore(
                Remote.whole(shared, shared::inTurn, carrier),
                local,
                TIMEOUT,
                localShare,
                new Listening(),
                nanos::get,
                () -> 0);
    }

    private final class Listening implements StoreHealth {
        @Override
        public void failed(StoreFailure cause) {
            heard.add(cause.tag());
        }

        @Override
        public void away(StoreFailure cause) {
            heard.add("away: " + cause.tag());
        }

        @Override
        public void back(Duration away) {
            heard.add("back");
        }
    }

    static Limit limit(String name, long permits, UnaryOperator<LimitBuilder> more) {
        return more.apply(Limit.named(name)
                        .algorithm(Algorithm.TOKEN_BUCKET)
                        .permits(permits)
                        .period(Duration.ofSeconds(permits)))
                .build();
    }

    /** So many permits, one a second. */
    static Limit limit(String name, long permits, FailurePolicy policy) {
        return limit(name, permits, more -> more.onStoreFailure(policy));
    }

    static Charge one(Limit limit) {
        return Charge.of(limit, KEY, 1);
    }

    /** Time passes, and the deadlines with it. */
    Scene pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        micros.addAndGet(time.toNanos() / 1_000);
        store.ring();
        return this;
    }

    Decision acquire(Charge... charges) {
        return Stages.await(store.acquire(List.of(charges)));
    }

    /** A few calls are refused, each at once, until no more are sent. */
    Scene goAway() {
        shared.is(HeldStore.Mode.REFUSES);
        for (int i = 0; i < Breaker.FAILURES_TO_OPEN; i++) {
            acquire(Charge.of(limit("outage", 1, FailurePolicy.ALLOW), KEY, 0));
        }
        return this;
    }

    /** What the store that everybody shares has left. */
    long left(Limit limit) {
        return remaining(redis, limit);
    }

    static long remaining(LocalRateLimitStore store, Limit limit) {
        return ((Decision.Allowed) Stages.await(store.peek(List.of(Charge.of(limit, KEY, 0))))).remaining();
    }
}
