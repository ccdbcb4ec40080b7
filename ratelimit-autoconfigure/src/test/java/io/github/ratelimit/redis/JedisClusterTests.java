/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** What Jedis would repeat on a cluster. */
class JedisClusterTests {

    private static final Duration READ_TIMEOUT = Duration.ofMillis(300);

    @Test
    void aChargeThatIsNotAnsweredInTimeIsSentOnce() {
        try (RedisCluster cluster =
                RedisCluster.builder().config("cluster-node-timeout", "60000").start()) {
            RedisServer master = cluster.masters().get(0);
            Charge charge = Charge.of(
                    Kind.FIXED_WINDOW
                            .named("orders")
                            .permits(100)
                            .period(Duration.ofDays(31))
                            .build(),
                    cluster.keyOf(master),
                    1);
            JedisConnectionFactory connections = new JedisConnectionFactory(
                    new RedisClusterConfiguration(List.of(cluster.addresses().split(",", -1))),
                    JedisClientConfiguration.builder().readTimeout(READ_TIMEOUT).build());
            connections.afterPropertiesSet();
            connections.start();
            try (RedisRateLimitStore store = new RedisRateLimitStore(
                    RedisTransports.over(connections, Runnable::run, Duration.ofSeconds(30)), "test")) {
                severalConnections(master, store, charge);
                assertThat(left(Stages.await(store.acquire(List.of(charge))))).isEqualTo(91);
                master.pause();
                CompletableFuture<Decision> unanswered =
                        store.acquire(List.of(charge)).toCompletableFuture();
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(unanswered::join)
                        .withCauseInstanceOf(RateLimitStoreException.class);
                master.resume();
                Eventually.until(
                        "charged after all",
                        Duration.ofSeconds(10),
                        () -> left(Stages.await(store.peek(List.of(Charge.of(charge.limit(), charge.key(), 0))))) < 91);
                for (int i = 0; i < 20; i++) {
                    master.command("PING");
                }
                assertThat(left(Stages.await(store.acquire(List.of(charge))))).isEqualTo(89);
            } finally {
                connections.destroy();
            }
        }
    }

    /** A new connection to a node that hangs is not answered even its greeting; only an open one lets a charge be sent. */
    private static void severalConnections(RedisServer master, RedisRateLimitStore store, Charge charge) {
        master.command("CLIENT", "PAUSE", "100");
        List<CompletableFuture<Decision>> atOnce = IntStream.range(0, 8)
                .mapToObj(i -> store.acquire(List.of(charge)).toCompletableFuture())
                .toList();
        atOnce.forEach(CompletableFuture::join);
    }

    private static long left(Decision decision) {
        return ((Allowed) decision).remaining();
    }
}
