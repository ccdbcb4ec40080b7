/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.redis.RedisRateLimitStore;
import io.github.ratelimit.redis.RedisTransports;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Both clients on a cluster: each Boot line has others. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterClientsTests {

    private static final Duration READ_TIMEOUT = Duration.ofMillis(300);

    /** For an answer, unless it is told otherwise. */
    private static final Duration JEDIS_WAITS = Duration.ofSeconds(2);

    private static final Duration LONG_ENOUGH_TO_BE_ASKED = Duration.ofSeconds(30);

    private RedisCluster cluster;

    @BeforeAll
    void start() {
        cluster = RedisCluster.builder()
                .config("cluster-require-full-coverage", "no")
                .config("cluster-node-timeout", "60000")
                .start();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void count(String client) {
        application("counts-with-" + client, client).run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            for (RedisServer master : cluster.masters()) {
                String key = cluster.keyOf(master);
                assertThat(limiter.tryAcquire("orders", key)).isInstanceOf(Allowed.class);
                assertThat(String.valueOf(master.command("KEYS", "ratelimit:counts-with-" + client + ":orders:*")))
                        .contains("{" + key + "}");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void countOnTheOthersWhileAMasterHangs(String client) {
        RedisServer hanging = cluster.masters().get(0);
        String well = cluster.keyOf(cluster.masters().get(1));
        List<String> dead = IntStream.range(0, 100)
                .mapToObj(i -> "key" + i)
                .filter(key -> cluster.masterOf(key).equals(hanging))
                .toList();
        application("goes-on-with-" + client, client).run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            assertThat(dead).allMatch(key -> limiter.tryAcquire("orders", key) instanceof Allowed);
            assertThat(limiter.tryAcquire("orders", well)).isInstanceOf(Allowed.class);
            hanging.pause();
            try {
                dead.forEach(key -> limiter.tryAcquireAsync("orders", key));
                assertThat(limiter.tryAcquireAsync("orders", well))
                        .succeedsWithin(JEDIS_WAITS.dividedBy(2))
                        .isInstanceOf(Allowed.class);
            } finally {
                hanging.resume();
            }
        });
    }

    private ApplicationContextRunner application(String name, String client) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues(
                        "spring.application.name=" + name,
                        "spring.data.redis.client-type=" + client,
                        "spring.data.redis.cluster.nodes=" + cluster.addresses(),
                        "ratelimit.store-timeout=20s",
                        "ratelimit.limits.orders.permits=100",
                        "ratelimit.limits.orders.period=1d");
    }

    /** As Jedis would not: it repeats its own commands. */
    @Test
    void jedisSendsAChargeThatIsNotAnsweredInTimeOnce() {
        RedisServer master = cluster.masters().get(0);
        String key = cluster.keyOf(master);
        JedisConnectionFactory connections = new JedisConnectionFactory(
                new RedisClusterConfiguration(List.of(cluster.addresses().split(",", -1))),
                JedisClientConfiguration.builder().readTimeout(READ_TIMEOUT).build());
        connections.afterPropertiesSet();
        connections.start();
        try (RedisRateLimitStore store = new RedisRateLimitStore(
                RedisTransports.over(connections, Runnable::run, LONG_ENOUGH_TO_BE_ASKED), "once")) {
            severalConnections(master, store, key);
            assertThat(left(charge(store, key))).isEqualTo(91);
            master.pause();
            CompletableFuture<Allowed> unanswered = charge(store, key);
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(unanswered::join)
                    .withCauseInstanceOf(RateLimitStoreException.class);
            master.resume();
            // what waits on other connections is read before they are served again
            for (int i = 0; i < 20; i++) {
                master.command("PING");
            }
            assertThat(left(charge(store, key))).isEqualTo(89);
        } finally {
            master.resume();
            connections.destroy();
        }
    }

    /** A new connection to a node that hangs is not answered even its greeting; only an open one lets a charge be sent. */
    private static void severalConnections(RedisServer master, RedisRateLimitStore store, String key) {
        master.command("CLIENT", "PAUSE", "100");
        List<CompletableFuture<Allowed>> atOnce =
                Stream.generate(() -> charge(store, key)).limit(8).toList();
        atOnce.forEach(CompletableFuture::join);
    }

    private static CompletableFuture<Allowed> charge(RedisRateLimitStore store, String key) {
        Limit limit = Limit.named("orders")
                .algorithm(Algorithm.FIXED_WINDOW)
                .permits(100)
                .period(Duration.ofDays(31))
                .build();
        return store.acquire(List.of(Charge.of(limit, key, 1)))
                .thenApply(Allowed.class::cast)
                .toCompletableFuture();
    }

    private static long left(CompletableFuture<Allowed> charged) {
        return charged.join().remaining();
    }

    @EnableAutoConfiguration
    static class Application {}
}
