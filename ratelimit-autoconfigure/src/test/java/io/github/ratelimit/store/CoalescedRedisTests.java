/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.redis.Client;
import io.github.ratelimit.redis.OwnClock;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads on one key of a real Redis: what is granted less what is given back is what is used, exactly. */
@WithRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoalescedRedisTests {

    private static final int THREADS = 24;
    private static final int CALLS = 150;
    private static final long PERMITS = 4_000;

    private final OwnClock redis;
    private final CoalescingStore store;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    CoalescedRedisTests(RedisServer server) {
        redis = new OwnClock(server, Client.Kind.LETTUCE);
        store = new CoalescingStore(
                redis.store(), new PlainTrips(redis.store(), redis::inTurn), charge -> false, Duration.ofMinutes(1));
    }

    @AfterAll
    void close() {
        threads.shutdownNow();
        redis.close();
    }

    /** So slow that nothing comes back while the test runs. */
    private static Limit limit(Kind kind, String name) {
        return kind.named(name + kind)
                .permits(PERMITS)
                .period(Duration.ofDays(31))
                .build();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LEAKY_BUCKET")
    void exactlyThePermitsAreGranted(Kind kind) throws Exception {
        Limit limit = limit(kind, "spent");
        long granted = all(limit, false);
        long left = ((Decision.Allowed) Stages.await(store.peek(List.of(Charge.of(limit, "hot", 0))))).remaining();
        assertThat(granted + left).isEqualTo(PERMITS);
        assertThat(left).as("the cheapest call is granted to the end").isZero();
        assertThat(store.lanes()).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LEAKY_BUCKET")
    void nothingIsLostWhileSomeGiveBack(Kind kind) throws Exception {
        Limit limit = limit(kind, "refunded");
        long kept = all(limit, true);
        long left = ((Decision.Allowed) Stages.await(store.peek(List.of(Charge.of(limit, "hot", 0))))).remaining();
        assertThat(kept + left).isEqualTo(PERMITS);
    }

    private long all(Limit limit, boolean givesBack) throws Exception {
        List<Future<Long>> kept = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(i);
            kept.add(threads.submit(() -> one(limit, random, givesBack)));
        }
        long sum = 0;
        for (Future<Long> thread : kept) {
            sum += thread.get(1, TimeUnit.MINUTES);
        }
        return sum;
    }

    private long one(Limit limit, Random random, boolean givesBack) {
        long kept = 0;
        for (int i = 0; i < CALLS; i++) {
            Charge charge = Charge.of(limit, "hot", 1 + random.nextInt(3));
            if (Stages.await(store.acquire(List.of(charge))).passes()) {
                kept += charge.cost();
                if (givesBack && random.nextInt(3) == 0) {
                    Stages.await(store.refund(List.of(charge)));
                    kept -= charge.cost();
                }
            }
        }
        return kept;
    }
}
