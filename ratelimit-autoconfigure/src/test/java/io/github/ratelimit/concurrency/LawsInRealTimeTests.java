/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.local.LocalUnderTest;
import io.github.ratelimit.redis.Client;
import io.github.ratelimit.redis.OwnClock;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many threads for a while on the store's own running clock. Each grant tells the store's instant at which it was made,
 * and the instants keep the law of the algorithm.
 */
@WithRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LawsInRealTimeTests {

    private static final long PERMITS = 50;
    private static final long PERIOD = 100_000;
    private static final long WHILE = TimeUnit.MILLISECONDS.toNanos(450);

    private final Crowd local = new Crowd(LocalUnderTest.onTheSystemsClock());
    private final Crowd redis;

    LawsInRealTimeTests(RedisServer server) {
        this.redis = new Crowd(
                new OwnClock(server, Client.Kind.LETTUCE),
                new OwnClock(server, Client.Kind.JEDIS),
                new OwnClock(server, Client.Kind.LETTUCE),
                new OwnClock(server, Client.Kind.JEDIS));
    }

    @AfterAll
    void close() {
        local.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void inThisJvm(Kind kind) {
        keepsTheLaw(kind, local);
    }

    @ParameterizedTest
    @EnumSource
    void onRedis(Kind kind) {
        keepsTheLaw(kind, redis);
    }

    private static void keepsTheLaw(Kind kind, Crowd crowd) {
        Limit limit = kind.named("real-time")
                .permits(PERMITS)
                .period(Duration.ofMillis(PERIOD / 1_000))
                .build();
        List<Long> instants = new ArrayList<>();
        crowd.all((store, thread) -> grants(store, Charge.of(limit, kind.name(), 1)))
                .forEach(instants::addAll);
        instants.sort(null);
        assertThat(instants).hasSizeGreaterThan(2);
        Law.of(kind).check(instants, PERMITS, PERIOD);
    }

    /** The instants at which this thread was granted a permit; bucket permits are due at once when nobody may wait. */
    private static List<Long> grants(RateLimitStore store, Charge one) {
        List<Long> instants = new ArrayList<>();
        long end = System.nanoTime() + WHILE;
        while (System.nanoTime() < end) {
            Reservation reservation = Stages.await(store.reserve(List.of(one)));
            reservation.holds().stream().map(Hold::dueMicros).forEach(instants::add);
        }
        return instants;
    }
}
