/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Redis that has forgotten the scripts, as after a restart, is told them again; nothing is lost or counted twice. */
@WithRedis
class ForgottenScriptTests {

    private static final String KEY = "alice";
    private static final int PERMITS = 2_000;
    private static final int CALLERS = 4;

    private final RedisServer redis;

    ForgottenScriptTests(RedisServer redis) {
        this.redis = redis;
    }

    @ParameterizedTest
    @EnumSource
    void everyOperationSurvivesAScriptFlush(Client.Kind client) {
        try (Client connections = Client.of(redis, client);
                RedisRateLimitStore store = connections.store()) {
            List<Charge> together = new ArrayList<>();
            for (Kind kind : Kind.values()) {
                Limit limit = kind.named(kind + "-" + client)
                        .permits(10)
                        .period(Duration.ofMinutes(kind.isBucket() ? 10 : 1_440))
                        .build();
                Charge one = kind.charge(limit, KEY, 1);
                together.add(one);
                granted(forgetting(store).acquire(List.of(one)));
                granted(forgetting(store).peek(List.of(one)));
                assertThat(Stages.await(forgetting(store).acquireUpTo(one)).granted())
                        .isOne();
                Reservation reservation = Stages.await(forgetting(store).reserve(List.of(kind.charge(limit, KEY, 2))));
                // the wait of a bucket's reservation without one is over at once
                assertThat(Stages.await(forgetting(store).cancel(reservation)))
                        .isBetween(kind.isWindow() ? 2L : 0L, 2L);
                granted(forgetting(store).refund(List.of(one)));
                Stages.await(forgetting(store).lock(limit, KEY, Duration.ofDays(1)));
                assertThat(Stages.await(forgetting(store).acquire(List.of(one))).passes())
                        .isFalse();
                Stages.await(forgetting(store).reset(limit, KEY));
            }
            granted(forgetting(store).acquire(together));
            granted(forgetting(store).peek(together));
            Reservation reservation = Stages.await(forgetting(store).reserve(together));
            assertThat(Stages.await(forgetting(store).cancel(reservation))).isBetween(5L, (long) together.size());
            granted(forgetting(store).refund(together));
        }
    }

    @Test
    void everyNodeOfAClusterIsToldAgain(RedisCluster cluster) {
        for (Client.Kind client : Client.Kind.values()) {
            try (Client connections = Client.of(cluster, client);
                    RedisRateLimitStore store = connections.store()) {
                Limit limit =
                        Kind.TOKEN_BUCKET.named("nodes-" + client).permits(10).build();
                for (int round = 0; round < 3; round++) {
                    for (RedisServer node : cluster.masters()) {
                        node.command("SCRIPT", "FLUSH");
                    }
                    for (int key = 0; key < 20; key++) {
                        granted(store.acquire(List.of(Charge.of(limit, "key" + key, 1))));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void scriptFlushesUnderLoadNeitherFailNorGrantTwice(Client.Kind client) throws Exception {
        Limit limit = Kind.TOKEN_BUCKET
                .named("load-" + client)
                .permits(1)
                .period(Duration.ofDays(1))
                .burst((long) PERMITS)
                .build();
        AtomicBoolean calling = new AtomicBoolean(true);
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS + 1);
        try (Client connections = Client.of(redis, client);
                RedisRateLimitStore store = connections.store()) {
            CompletableFuture<Integer> flushes = CompletableFuture.supplyAsync(() -> flushWhile(calling), threads);
            List<CompletableFuture<Integer>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                callers.add(CompletableFuture.supplyAsync(() -> grants(store, limit), threads));
            }
            int granted = 0;
            for (CompletableFuture<Integer> caller : callers) {
                granted += Stages.await(caller);
            }
            calling.set(false);
            assertThat(granted).isEqualTo(PERMITS);
            assertThat(Stages.await(flushes)).isPositive();
        } finally {
            threads.shutdownNow();
        }
    }

    private int flushWhile(AtomicBoolean calling) {
        int flushes = 0;
        try (RedisCommands commands = redis.connect()) {
            while (calling.get()) {
                commands.send("SCRIPT", "FLUSH");
                flushes++;
            }
        }
        return flushes;
    }

    private static int grants(RateLimitStore store, Limit limit) {
        int granted = 0;
        for (int i = 0; i < PERMITS; i++) {
            granted += Stages.await(store.acquire(List.of(Charge.of(limit, KEY, 1))))
                            .passes()
                    ? 1
                    : 0;
        }
        return granted;
    }

    private RateLimitStore forgetting(RateLimitStore store) {
        redis.command("SCRIPT", "FLUSH");
        return store;
    }

    private static void granted(CompletionStage<Decision> decision) {
        assertThat(Stages.await(decision).passes()).isTrue();
    }
}
