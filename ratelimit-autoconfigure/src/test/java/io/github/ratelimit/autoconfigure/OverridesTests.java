/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.LimitSettings;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.OverrideKeeper;
import io.github.ratelimit.tuning.Overrides.Target;
import io.github.ratelimit.tuning.SharedNotes;
import io.github.ratelimit.tuning.Tuning;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Overrides in Redis, on every instance. */
@WithRedis
@ExtendWith(OutputCaptureExtension.class)
class OverridesTests {

    private static final Target ORDERS = new Target("orders", null);

    private final String name = "overrides-" + UUID.randomUUID();
    private final RedisServer redis;

    OverridesTests(RedisServer redis) {
        this.redis = redis;
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void holdOnEveryInstanceWithinASecond(String client) {
        ApplicationContextRunner application = at(redis).withPropertyValues("spring.data.redis.client-type=" + client);
        application.run(one -> application.run(other -> {
            one.getBean(OverrideKeeper.class).put(ORDERS, permits(7));
            assertThat(permitsOf(one.getBean(LimitCatalog.class))).isEqualTo(7);
            await().atMost(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(permitsOf(other.getBean(LimitCatalog.class)))
                            .isEqualTo(7));

            other.getBean(OverrideKeeper.class).remove("Orders", null);
            await().atMost(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(permitsOf(one.getBean(LimitCatalog.class)))
                            .isEqualTo(100));
        }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void holdOnEveryInstanceOfACluster(String client, RedisCluster cluster) {
        ApplicationContextRunner application = application()
                .withPropertyValues(
                        "spring.data.redis.client-type=" + client,
                        "spring.data.redis.cluster.nodes=" + cluster.addresses());
        application.run(one -> application.run(other -> {
            one.getBean(OverrideKeeper.class).put(ORDERS, permits(7));
            await().atMost(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(permitsOf(other.getBean(LimitCatalog.class)))
                            .isEqualTo(7));

            other.getBean(OverrideKeeper.class).remove("orders", null);
            await().atMost(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(permitsOf(one.getBean(LimitCatalog.class)))
                            .isEqualTo(100));
        }));
    }

    @Test
    void holdAsSoonAsChangedPropertiesLetThem() {
        redis.command("HSET", hash(), "windows", "burst=3");
        at(redis).run(context -> {
            LimitCatalog catalog = context.getBean(LimitCatalog.class);
            Tuning tuning = context.getBean(RateLimitProperties.class).tuning();
            LimitSettings bucket = LimitSettings.of(Algorithm.TOKEN_BUCKET, new Numbers(5L, null, null), null, null);
            catalog.refresh(new Tuning(
                    tuning.defaults(),
                    Map.of("windows", bucket, "orders", bucket),
                    false,
                    tuning.store(),
                    tuning.onStoreFailure()));

            await().untilAsserted(() ->
                    assertThat(catalog.base("windows").limit().burst()).isEqualTo(3));
        });
    }

    @Test
    void hearOfAChangeAtOnceOnLettuce() {
        at(redis).run(context -> {
            CountDownLatch heard = new CountDownLatch(1);
            try (SharedNotes notes =
                    Objects.requireNonNull(context.getBean(SharedStore.class).notes())) {
                notes.onChange(heard::countDown);
                assertThat(notes.read()).isEmpty();
                context.getBean(OverrideKeeper.class).put(ORDERS, permits(7));

                assertThat(heard.await(20, TimeUnit.SECONDS)).isTrue();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void healAMissedMessage(String client) {
        at(redis).withPropertyValues("spring.data.redis.client-type=" + client).run(context -> {
            redis.command("HSET", hash(), "orders", "permits=8");

            await().atMost(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(permitsOf(context.getBean(LimitCatalog.class)))
                            .isEqualTo(8));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void holdFromTheFirstCallAfterARestart(String client) {
        redis.command("HSET", hash(), "orders", "permits=9 period=1000 burst=5", "orders/gold", "burst=6");

        at(redis).withPropertyValues("spring.data.redis.client-type=" + client).run(context -> {
            LimitCatalog catalog = context.getBean(LimitCatalog.class);
            assertThat(permitsOf(catalog)).isEqualTo(9);
            assertThat(catalog.base("orders").limit().burst()).isEqualTo(5);
            assertThat(catalog.base("orders").limit().period()).isEqualTo(Duration.ofSeconds(1));
            assertThat(catalog.numbersFor("orders", "gold", "acme").burst()).isEqualTo(6);
        });
    }

    @Test
    void areIgnoredWithOneWarningWhereTheyAreNone(CapturedOutput output) {
        redis.command("HSET", hash(), "orders", "permits=10", "foreign", "\u0000\u0001", "windows", "burst=3");

        at(redis).run(context -> {
            LimitCatalog catalog = context.getBean(LimitCatalog.class);
            assertThat(permitsOf(catalog)).isEqualTo(10);
            redis.command("HSET", hash(), "orders", "permits=11");
            await().untilAsserted(() -> assertThat(permitsOf(catalog)).isEqualTo(11));
        });
        assertThat(output.getOut().split("A note among the overrides is none", -1))
                .hasSize(2);
        assertThat(output.getOut().split("An override is ignored: Limit 'windows'", -1))
                .hasSize(2);
    }

    @Test
    void doNotStopTheStartWhereTheKeyIsSomethingElse(CapturedOutput output) {
        redis.command("SET", hash(), "what is this");

        at(redis).run(context -> assertThat(context).hasNotFailed());
        assertThat(output.getOut().split("What is kept as overrides cannot be read", -1))
                .hasSize(2);
    }

    @Test
    void areNotReadByTheMillion() {
        for (int i = 0; i < 1_001; i++) {
            redis.command("HSET", hash(), "limit-" + i, "permits=1");
        }
        redis.command("HSET", hash(), "orders", "permits=12");

        at(redis)
                .run(context -> assertThat(permitsOf(context.getBean(LimitCatalog.class)))
                        .isEqualTo(100));
    }

    @Test
    void changeNothingWhenTheLimitCannotWorkWithThem() {
        at(redis).run(context -> {
            OverrideKeeper overrides = context.getBean(OverrideKeeper.class);
            assertThatExceptionOfType(InvalidLimitException.class)
                    .isThrownBy(() -> overrides.put(new Target("windows", null), new Numbers(null, null, 3L)));
            assertThat(redis.command("EXISTS", hash())).isEqualTo(0L);
        });
    }

    @Test
    void holdWithinASecondAfterRedisIsBack() {
        try (RedisServer own = RedisServer.builder().config("appendonly", "yes").start()) {
            own.command("HSET", hash(), "orders", "permits=13");
            own.stop();
            at(own).run(context -> {
                LimitCatalog catalog = context.getBean(LimitCatalog.class);
                assertThat(permitsOf(catalog)).isEqualTo(100);
                assertThatExceptionOfType(RateLimitStoreException.class)
                        .isThrownBy(() -> context.getBean(OverrideKeeper.class).put(ORDERS, permits(3)));
                assertThat(permitsOf(catalog)).isEqualTo(100);

                own.restart();
                await().pollInterval(Duration.ofMillis(20))
                        .atMost(Duration.ofSeconds(2)) // one, and one for a busy machine to open connections
                        .untilAsserted(() -> assertThat(permitsOf(catalog)).isEqualTo(13));
            });
        }
    }

    @Test
    void areThisInstancesOwnWhereItCountsLocally() {
        at(redis).withPropertyValues("ratelimit.store=local").run(context -> {
            OverrideKeeper overrides = context.getBean(OverrideKeeper.class);
            overrides.put(ORDERS, permits(4));

            assertThat(overrides.isShared()).isFalse();
            assertThat(permitsOf(context.getBean(LimitCatalog.class))).isEqualTo(4);
            assertThat(redis.command("EXISTS", hash())).isEqualTo(0L);
            overrides.remove("orders", null);
            assertThat(permitsOf(context.getBean(LimitCatalog.class))).isEqualTo(100);
        });
    }

    private String hash() {
        return "ratelimit:" + name + ":overrides";
    }

    private ApplicationContextRunner at(RedisServer server) {
        return application()
                .withPropertyValues(
                        "spring.data.redis.host=" + server.host(), "spring.data.redis.port=" + server.port());
    }

    private ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
                .withPropertyValues(
                        "spring.application.name=" + name,
                        "ratelimit.limits.orders.permits=100",
                        "ratelimit.limits.orders.plans.gold.permits=1000",
                        "ratelimit.limits.windows.algorithm=fixed-window",
                        "ratelimit.limits.windows.permits=5");
    }

    private static Numbers permits(long permits) {
        return new Numbers(permits, null, null);
    }

    private static long permitsOf(LimitCatalog catalog) {
        return catalog.base("orders").limit().permits();
    }
}
