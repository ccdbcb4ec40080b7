/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many threads on limits that live in different slots of a Redis Cluster: a call may be denied by what another is about
 * to give back, but none is granted too much, and what is taken back is taken back to the permit; of a paced leaky bucket as far
 * as nobody reserved behind it.
 */
@WithRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterConcurrencyTests {

    private static final long T0 = 20_370L * 86_400_000_000L;
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int TRIES = 25;

    private final Crowd crowd;

    ClusterConcurrencyTests(RedisCluster cluster) {
        this.crowd = new Crowd(Stores.lettuce(cluster), Stores.jedis(cluster));
    }

    @AfterAll
    void close() {
        crowd.close();
    }

    @ParameterizedTest
    @EnumSource
    void neverOnePermitTooManyAndNoneLost(Kind kind) {
        crowd.setClock(T0);
        Limit wide = perMinute(kind, 60);
        Limit narrow = perMinute(Kind.TOKEN_BUCKET, 40);
        Charge first = kind.charge(wide, "a", 1);
        Charge second = Charge.of(narrow, "b", 1);
        long granted = crowd.sum((store, thread) -> {
            long taken = 0;
            for (int i = 0; i < TRIES; i++) {
                List<Charge> charges = thread % 2 == 0 ? List.of(first, second) : List.of(second, first);
                taken += passes(store, charges) ? 1 : 0;
            }
            return taken;
        });
        Caller caller = new Caller(crowd.one(), T0);
        assertThat(granted).isLessThanOrEqualTo(40);
        long left = caller.state(wide, "a").remaining();
        if (kind == Kind.LEAKY_BUCKET) {
            assertThat(left)
                    .as("departures that others reserved behind stay taken")
                    .isLessThanOrEqualTo(60 - granted);
        } else {
            assertThat(left).isEqualTo(60 - granted);
        }
        assertThat(caller.state(narrow, "b").remaining()).isEqualTo(40 - granted);
    }

    private static boolean passes(RateLimitStore store, List<Charge> charges) {
        return Stages.await(store.acquire(charges)).passes();
    }

    private static Limit perMinute(Kind kind, long permits) {
        return kind.named("limit-" + NAMES.incrementAndGet())
                .permits(permits)
                .period(Duration.ofMinutes(1))
                .build();
    }
}
