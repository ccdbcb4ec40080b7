/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.limiter.UncountedRateLimitStore;
import io.github.ratelimit.metrics.DecisionMeters;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.tuning.LimitCatalog;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.core.instrument.step.StepTimer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** Meters of an application. */
class MetricsTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RedisAutoConfiguration.class,
                    RateLimitAutoConfiguration.class,
                    RateLimitMetricsAutoConfiguration.class))
            .withAllowBeanDefinitionOverriding(true)
            .withBean("meterRegistry", MeterRegistry.class, SimpleMeterRegistry::new)
            .withPropertyValues(
                    "spring.application.name=metrics",
                    "ratelimit.limits.orders.permits=1",
                    "ratelimit.limits.own.permits=1",
                    "ratelimit.limits.own.store=local",
                    "ratelimit.limits.watched.permits=1",
                    "ratelimit.limits.watched.shadow=true");

    @Test
    void countsAndTimesByStore() {
        withRedis(redis -> at(redis)
                .withPropertyValues("ratelimit.store-timeout=20s")
                .run(context -> {
                    RateLimiter limiter = context.getBean(RateLimiter.class);
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    limiter.tryAcquire("orders", "acme");
                    limiter.tryAcquire("Orders", "acme");
                    limiter.tryAcquire("own", "acme");
                    limiter.tryAcquire("watched", "acme", 2);

                    assertThat(count(registry, "orders", "allowed")).isEqualTo(1);
                    assertThat(count(registry, "orders", "denied")).isEqualTo(1);
                    assertThat(count(registry, "watched", "shadow-denied")).isEqualTo(1);
                    assertThat(registry.get("ratelimit.acquire")
                                    .tag("store", "redis")
                                    .timer()
                                    .count())
                            .isEqualTo(3);
                    assertThat(registry.get("ratelimit.acquire")
                                    .tag("store", "local")
                                    .timer()
                                    .count())
                            .isEqualTo(1);
                    assertThat(registry.get("ratelimit.store.away").gauge().value())
                            .isZero();
                }));
    }

    @Test
    void countsFailuresAndShowsTheOutage() {
        withRedis(redis -> at(redis)
                .withPropertyValues("ratelimit.on-store-failure=deny")
                .run(context -> {
                    RateLimiter limiter = context.getBean(RateLimiter.class);
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(failures(registry, "timeout")).isZero();
                    redis.pause();
                    for (int i = 0; i < 5; i++) {
                        limiter.tryAcquire("orders", "acme");
                    }

                    assertThat(count(registry, "orders", "unavailable")).isEqualTo(5);
                    assertThat(failures(registry, "timeout")).isPositive();
                    assertThat(registry.get("ratelimit.store.away").gauge().value())
                            .isEqualTo(1);

                    redis.resume();
                    await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
                        limiter.tryAcquire("orders", "acme");
                        assertThat(registry.get("ratelimit.store.away").gauge().value())
                                .isZero();
                    });
                }));
    }

    @Test
    void countsHealedCountersAsFailuresOfTheClock() {
        withRedis(redis -> at(redis)
                .withPropertyValues("ratelimit.store-timeout=20s")
                .run(context -> {
                    int mark = context.getBean(LimitCatalog.class)
                            .base("orders")
                            .limit()
                            .fingerprint();
                    redis.command("SET", "ratelimit:metrics:orders:{acme}:tb1", "9000000000000000%03d".formatted(mark));
                    context.getBean(RateLimiter.class).tryAcquire("orders", "acme");

                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("ratelimit.store.failures")
                                    .tag("cause", "clock")
                                    .counter()
                                    .count())
                            .isEqualTo(1);
                }));
    }

    @Test
    void showsEveryLimitBeforeItsFirstCall() {
        local().run(context -> assertThat(count(context.getBean(MeterRegistry.class), "orders", "denied"))
                .isZero());
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, AbstractMethodError.class})
    void doesNotHarmTheCall(Class<? extends Throwable> failure) {
        FailingRegistry registry = new FailingRegistry();
        local().withBean("meterRegistry", MeterRegistry.class, () -> registry).run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            registry.failWith(failure);

            assertThat(limiter.tryAcquire("orders", "acme").passes()).isTrue();
            assertThat(limiter.tryAcquire("orders", "acme").passes()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, AbstractMethodError.class})
    void doesNotHarmTheCallThatAStoreFails(Class<? extends Throwable> failure) {
        FailingRegistry registry = new FailingRegistry();
        withRedis(redis -> at(redis)
                .withPropertyValues("ratelimit.on-store-failure=allow")
                .withBean("meterRegistry", MeterRegistry.class, () -> registry)
                .run(context -> {
                    RateLimiter limiter = context.getBean(RateLimiter.class);
                    registry.failWith(failure);
                    redis.pause();

                    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                        for (int i = 0; i < 5; i++) {
                            assertThat(limiter.tryAcquire("orders", "acme")).isInstanceOf(Uncounted.class);
                        }
                    });
                    assertThat(context.getBean(SharedStore.class).isAway()).isTrue();
                }));
    }

    @Test
    void stepsBack() {
        DecisionMeters mine = new DecisionMeters(new SimpleMeterRegistry());
        local().withBean("mine", DecisionMeters.class, () -> mine)
                .run(context ->
                        assertThat(context).getBean(DecisionMeters.class).isSameAs(mine));
    }

    @Test
    void timesAStoreOfTheApplication() {
        application.withBean(UncountedRateLimitStore.class).run(context -> {
            context.getBean(RateLimiter.class).tryAcquire("orders", "acme");

            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("ratelimit.acquire")
                            .tag("store", "own")
                            .timer()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void isQuietWithoutARegistry() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RateLimitAutoConfiguration.class, RateLimitMetricsAutoConfiguration.class))
                .withPropertyValues("ratelimit.store=local")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DecisionMeters.class));
    }

    @Test
    void ordersItselfAfterTheRegistryOfEitherBootLine() {
        String name = ".CompositeMeterRegistryAutoConfiguration";
        String boot4 = "org.springframework.boot.micrometer.metrics.autoconfigure" + name;
        assertThat(RateLimitMetricsAutoConfiguration.class
                        .getAnnotation(AutoConfiguration.class)
                        .afterName())
                .contains(boot4)
                .filteredOn(after -> !after.equals(boot4))
                .singleElement()
                .satisfies(
                        after -> assertThat(ClassUtils.isPresent(after, null)).isTrue());
    }

    private ApplicationContextRunner local() {
        return application.withPropertyValues("ratelimit.store=local");
    }

    private ApplicationContextRunner at(RedisServer redis) {
        return application.withPropertyValues(
                "spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port());
    }

    private static void withRedis(Consumer<RedisServer> test) {
        try (RedisServer redis = RedisServer.start()) {
            test.accept(redis);
        }
    }

    private static double count(MeterRegistry registry, String limit, String outcome) {
        return registry.get("ratelimit.decisions")
                .tag("limit", limit)
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private static double failures(MeterRegistry registry, String cause) {
        return registry.get("ratelimit.store.failures")
                .tag("cause", cause)
                .counter()
                .count();
    }

    /** Breaks down once it is told to. */
    private static final class FailingRegistry extends SimpleMeterRegistry {

        private volatile @Nullable Class<? extends Throwable> failure;

        void failWith(Class<? extends Throwable> kind) {
            failure = kind;
        }

        private void fail() {
            if (failure == AbstractMethodError.class) {
                throw new AbstractMethodError("of another version");
            } else if (failure != null) {
                throw new IllegalStateException("full");
            }
        }

        @Override
        protected Counter newCounter(Meter.Id id) {
            Counter counter = super.newCounter(id);
            return new Counter() {
                @Override
                public void increment(double amount) {
                    fail();
                }

                @Override
                public double count() {
                    return counter.count();
                }

                @Override
                public Id getId() {
                    return id;
                }
            };
        }

        @Override
        protected Timer newTimer(Meter.Id id, DistributionStatisticConfig histogram, PauseDetector pauses) {
            return new StepTimer(id, Clock.SYSTEM, histogram, pauses, TimeUnit.SECONDS, 1_000, false) {
                @Override
                protected void recordNonNegative(long amount, TimeUnit unit) {
                    fail();
                }
            };
        }
    }
}
