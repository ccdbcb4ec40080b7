/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testkit.StoreUnderTest;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Redis that loses every key as soon as it may: at its time to live, or before a call on a counter that is unused. */
final class ForgetfulRedis implements StoreUnderTest {

    private final RedisUnderTest redis;
    private final boolean losesTheUnused;
    private final Losing losing;

    ForgetfulRedis(RedisUnderTest redis, boolean losesTheUnused) {
        this.redis = redis;
        this.losesTheUnused = losesTheUnused;
        this.losing = new Losing(redis.store(), new HashMap<>());
    }

    @Override
    public String name() {
        return "forgetful " + redis.name();
    }

    @Override
    public RateLimitStore store() {
        return losesTheUnused ? losing : redis.store();
    }

    @Override
    public void setClock(long micros) {
        redis.setClock(micros);
        redis.time().deadlines().forEach((key, deadline) -> {
            if (deadline <= micros) {
                redis.time().expire(key);
            }
        });
    }

    @Override
    public CompletionStage<List<Decision>> inTurn(List<Charge> calls) {
        if (losesTheUnused) {
            losing.lost(calls);
        }
        return redis.inTurn(calls);
    }

    /** Lets every key go, whatever its time. */
    void forgetAll() {
        redis.time().deadlines().keySet().forEach(redis.time()::expire);
    }

    @Override
    public void close() {
        redis.close();
    }

    private record Losing(RateLimitStore store, Map<String, Set<Limit>> seen) implements RateLimitStore {

        private List<Charge> lost(List<Charge> charges) {
            for (Charge charge : charges) {
                lose(charge.limit(), charge.key());
            }
            return charges;
        }

        /** A counter is unused when it is by all numbers that have been seen. */
        private void lose(Limit limit, String key) {
            Set<Limit> numbers = seen.computeIfAbsent(limit.name() + " " + limit.shape(), name -> new HashSet<>());
            numbers.add(limit);
            if (numbers.stream().allMatch(each -> isUnused(each, key))) {
                Stages.await(store.reset(limit, key));
            }
        }

        private boolean isUnused(Limit limit, String key) {
            return Stages.await(store.peek(List.of(Charge.of(limit, key, 0)))) instanceof Allowed present
                    && present.resetAfterMicros() == 0
                    && present.remaining() == limit.burst();
        }

        @Override
        public CompletionStage<Decision> acquire(List<Charge> charges) {
            return store.acquire(lost(charges));
        }

        @Override
        public CompletionStage<Reservation> reserve(List<Charge> charges) {
            return store.reserve(lost(charges));
        }

        @Override
        public CompletionStage<Decision> peek(List<Charge> charges) {
            return store.peek(lost(charges));
        }

        @Override
        public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
            return store.acquireUpTo(lost(List.of(charge)).get(0));
        }

        @Override
        public CompletionStage<Long> cancel(Reservation reservation) {
            reservation
                    .holds()
                    .forEach(hold -> lose(hold.charge().limit(), hold.charge().key()));
            return store.cancel(reservation);
        }

        @Override
        public CompletionStage<Decision> refund(List<Charge> charges) {
            return store.refund(lost(charges));
        }

        @Override
        public CompletionStage<Void> reset(Limit limit, String key) {
            return store.reset(limit, key);
        }

        @Override
        public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
            lose(limit, key);
            return store.lock(limit, key, duration);
        }
    }
}
