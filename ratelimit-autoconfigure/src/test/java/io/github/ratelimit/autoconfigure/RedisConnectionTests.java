/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import io.lettuce.core.ReadFrom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Which of an application's ways to Redis the counters take. */
@WithRedis
class RedisConnectionTests {

    private final RedisServer redis;
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
            .withPropertyValues(
                    "spring.application.name=ways",
                    "ratelimit.store-timeout=5s",
                    "ratelimit.limits.orders.permits=10",
                    "ratelimit.limits.orders.on-store-failure=deny");

    RedisConnectionTests(RedisServer redis) {
        this.redis = redis;
    }

    @BeforeEach
    void flush() {
        redis.flush();
    }

    private void countsThere(AssertableApplicationContext context) {
        assertThat(context.getBean(RateLimiter.class)
                        .tryAcquire("orders", "acme")
                        .passes())
                .isTrue();
        assertThat((List<?>) redis.command("KEYS", "ratelimit:ways:orders:*")).hasSize(1);
    }

    @Test
    void thePropertiesOfTheApplication() {
        application
                .withPropertyValues(
                        "spring.data.redis.url=redis://" + redis.host() + ":" + redis.port() + "/0",
                        "spring.data.redis.client-name=shop")
                .run(context -> {
                    countsThere(context);
                    assertThat(String.valueOf(redis.command("CLIENT", "LIST"))).contains("name=shop");
                });
    }

    @Test
    void aServiceConnection() {
        RedisConnectionDetails details = new RedisConnectionDetails() {
            @Override
            public Standalone getStandalone() {
                return Standalone.of(redis.host(), redis.port());
            }
        };
        application
                .withBean(RedisConnectionDetails.class, () -> details)
                .withPropertyValues("spring.data.redis.port=1")
                .run(this::countsThere);
    }

    @Test
    void thePrimaryOfSeveralFactories() {
        application
                .withBean(
                        "elsewhere", LettuceConnectionFactory.class, () -> new LettuceConnectionFactory("localhost", 1))
                .withBean(
                        "here",
                        LettuceConnectionFactory.class,
                        () -> new LettuceConnectionFactory(redis.host(), redis.port()),
                        definition -> definition.setPrimary(true))
                .run(this::countsThere);
    }

    @Test
    void aFactoryOfTheApplicationsOwn() {
        application
                .withBean(
                        RedisConnectionFactory.class,
                        () -> new JedisConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port())))
                .run(this::countsThere);
    }

    @Test
    void aStaticListOfMasterAndReplicas() {
        try (RedisServer replica = RedisServer.start()) {
            replica.command("REPLICAOF", redis.host(), String.valueOf(redis.port()));
            Eventually.until(
                    "replicating",
                    Duration.ofSeconds(30),
                    () -> String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
            RedisStaticMasterReplicaConfiguration servers =
                    new RedisStaticMasterReplicaConfiguration(redis.host(), redis.port());
            servers.addNode(replica.host(), replica.port());
            application
                    .withBean(
                            LettuceConnectionFactory.class,
                            () -> new LettuceConnectionFactory(
                                    servers,
                                    LettuceClientConfiguration.builder()
                                            .readFrom(ReadFrom.REPLICA)
                                            .build()))
                    .run(this::countsThere);
            assertThat(String.valueOf(replica.command("INFO", "commandstats")))
                    .as("never a read from a replica")
                    .doesNotContain("evalsha", "cmdstat_eval");
        }
    }
}
