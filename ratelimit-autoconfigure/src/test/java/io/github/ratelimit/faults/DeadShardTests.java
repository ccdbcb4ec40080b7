/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A shard of a cluster that does not answer costs its own keys a few waits, and the others nothing. */
class DeadShardTests {

    private static final String LIMIT = "sharded";
    private static final int KEYS = 120;

    /** Longer than Jedis waits for an answer. */
    private static final Duration HANGING = Duration.ofSeconds(5);

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void itsKeysAreKeptAwayAndTheOthersCounted(String client) {
        try (RedisCluster cluster = RedisCluster.builder()
                .config("cluster-require-full-coverage", "no")
                .config("cluster-node-timeout", "60000")
                .start()) {
            application(cluster, client).run(context -> {
                RateLimiter limiter = context.getBean(RateLimiter.class);
                String dead = cluster.keyOf(cluster.masters().get(0));
                String well = cluster.keyOf(cluster.masters().get(1));
                awaitCounted(limiter, dead);
                awaitCounted(limiter, well);
                cluster.masters().get(0).pause();
                Duration waited = Duration.ZERO;
                for (int i = 0; i < 200; i++) {
                    long began = System.nanoTime();
                    assertThat(limiter.tryAcquire(LIMIT, dead)).isInstanceOf(Uncounted.class);
                    waited = waited.plusNanos(System.nanoTime() - began);
                    assertThat(limiter.tryAcquire(LIMIT, well)).isInstanceOf(Decision.Allowed.class);
                }
                assertThat(waited).as("200 calls to the dead shard").isLessThan(Duration.ofSeconds(5));
                cluster.masters().get(0).resume();
            });
        }
    }

    /** In each of its ranges of slots somebody asks all the time. */
    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void allOfItsKeysTogetherCostTheOthersNothingEither(String client) {
        try (RedisCluster cluster = RedisCluster.builder()
                .config("cluster-require-full-coverage", "no")
                .config("cluster-node-timeout", "60000")
                .start()) {
            Map<RedisServer, List<String>> keys =
                    IntStream.range(0, KEYS).mapToObj(i -> "key" + i).collect(Collectors.groupingBy(cluster::masterOf));
            RedisServer hanging = cluster.masters().get(0);
            RedisServer distant = cluster.masters().get(2); // a range of slots may lie on two neighbours
            List<String> dead = Objects.requireNonNull(keys.get(hanging));
            List<String> well = Objects.requireNonNull(keys.get(distant));
            application(cluster, client)
                    .withPropertyValues("ratelimit.store-timeout=1s")
                    .run(context -> {
                        RateLimiter limiter = context.getBean(RateLimiter.class);
                        Stream.of(dead, well).flatMap(List::stream).forEach(key -> awaitCounted(limiter, key));
                        hanging.pause();
                        long begun = System.nanoTime();
                        while (System.nanoTime() - begun < HANGING.toNanos()) {
                            dead.forEach(key -> limiter.tryAcquireAsync(LIMIT, key));
                            assertThat(well)
                                    .allMatch(key -> limiter.tryAcquire(LIMIT, key) instanceof Decision.Allowed);
                        }
                        hanging.resume();
                        dead.forEach(key -> awaitCounted(limiter, key));
                    });
        }
    }

    private static void awaitCounted(RateLimiter limiter, String key) {
        Eventually.until(
                key + " is counted",
                Duration.ofSeconds(30),
                () -> limiter.tryAcquire(LIMIT, key) instanceof Decision.Allowed);
    }

    private static ApplicationContextRunner application(RedisCluster cluster, String client) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
                .withPropertyValues(
                        "spring.application.name=sharded",
                        "spring.data.redis.client-type=" + client,
                        "spring.data.redis.cluster.nodes=" + cluster.addresses(),
                        "ratelimit.limits.sharded.permits=1000000",
                        "ratelimit.limits.sharded.on-store-failure=allow");
    }
}
