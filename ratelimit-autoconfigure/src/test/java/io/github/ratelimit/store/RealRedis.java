/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.redis.RedisRateLimitStore;
import io.github.ratelimit.redis.RedisTransports;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A steadfast store, with the cache and the lanes of an application, before a real Redis that the test pauses and kills. */
final class RealRedis implements AutoCloseable {

    enum Client {
        LETTUCE,
        JEDIS
    }

    static final String PREFIX = "steadfast";
    static final Duration TIMEOUT = Duration.ofMillis(250);

    /** Far above the timeout, since machines that test are busy; far below the minutes a client would wait. */
    static final Duration IN_TIME = Duration.ofSeconds(3);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final RedisServer server;
    final Queue<String> heard = new ConcurrentLinkedQueue<>();
    final HeldStore counted;
    final SteadfastStore store;
    private final DenialCache cache;
    private final RedisRateLimitStore redis;
    private final ExecutorService connector = Executors.newSingleThreadExecutor();
    private final Runnable end;

    RealRedis(RedisServer server, Client client) {
        this.server = server;
        RedisStandaloneConfiguration address = new RedisStandaloneConfiguration(server.host(), server.port());
        RedisConnectionFactory connections;
        if (client == Client.LETTUCE) {
            LettuceConnectionFactory lettuce = new LettuceConnectionFactory(address);
            lettuce.afterPropertiesSet();
            lettuce.start();
            end = lettuce::destroy;
            connections = lettuce;
        } else {
            JedisClientConfiguration settings = JedisClientConfiguration.builder()
                    .readTimeout(TIMEOUT)
                    .connectTimeout(TIMEOUT)
                    .build();
            JedisConnectionFactory jedis = new JedisConnectionFactory(address, settings);
            jedis.afterPropertiesSet();
            jedis.start();
            end = jedis::destroy;
            connections = jedis;
        }
        redis = new RedisRateLimitStore(RedisTransports.over(connections, connector, TIMEOUT), PREFIX);
        counted = new HeldStore(redis);
        store = new SteadfastStore(
                new Remote(
                        counted,
                        redis::acquireInTurn,
                        RedisTransports.address(connections),
                        redis::route,
                        redis::renew,
                        new Carrier(redis::isWhereAnswersArrive, redis::runWhereAnswersArrive)),
                new LocalRateLimitStore(10_000),
                TIMEOUT,
                1,
                cause -> heard.add(cause.tag()));
        redis.onHealing(store::clockJumped);
        cache = new DenialCache(lanes(), store::isAway, true, () -> false);
    }

    /** The lanes, where a client has them. */
    private RateLimitStore lanes() {
        return redis.isBlocking() ? store : new CoalescingStore(store, store.trips(), redis::sharesTrips, TIMEOUT);
    }

    /** Connects before anything is measured. */
    RealRedis connected() {
        left(Scene.limit("connected", 1, FailurePolicy.ALLOW), "connected");
        return this;
    }

    /** Uses up so much of what Redis itself has left. */
    void spend(Charge charge) {
        Stages.await(redis.prepare());
        Stages.await(redis.acquire(List.of(charge)));
    }

    /** Asks, and is answered in time. */
    Decision acquire(Charge... charges) {
        long began = System.nanoTime();
        Decision decision = Stages.await(cache.acquire(List.of(charges)));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(IN_TIME);
        return decision;
    }

    /** What Redis itself has left. */
    long left(Limit limit, String key) {
        Stages.await(redis.prepare());
        return ((Allowed) Stages.await(redis.peek(List.of(Charge.of(limit, key, 0))))).remaining();
    }

    /** Calls that cost nothing until no more are sent. */
    void untilAway(Limit limit) {
        until(() -> {
            acquire(Charge.of(limit, "away", 0));
            return store.isAway();
        });
    }

    /** Calls that cost nothing until they are sent again; returns how long that took. */
    Duration untilBack(Limit limit) {
        long began = System.nanoTime();
        until(() -> {
            acquire(Charge.of(limit, "back", 0));
            return !store.isAway();
        });
        return Duration.ofNanos(System.nanoTime() - began);
    }

    static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("nanoseconds too long").isNegative();
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    @Override
    public void close() {
        store.close();
        redis.close();
        end.run();
        connector.shutdownNow();
    }
}
