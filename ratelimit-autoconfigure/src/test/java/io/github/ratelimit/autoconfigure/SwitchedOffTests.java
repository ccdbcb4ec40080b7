/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.ReactiveRateLimiter;
import io.github.ratelimit.actuate.RateLimitsEndpoint;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testkit.Stages;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Switched off, the library leaves no proxy and touches no connection, and its beans stay and count nothing. */
@ExtendWith(OutputCaptureExtension.class)
class SwitchedOffTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
            .withUserConfiguration(Orders.class, Untouchable.class)
            .withPropertyValues("ratelimit.limits.orders.permits=1");

    @Test
    void leavesNoProxyAndNoGate() {
        application.withPropertyValues("ratelimit.enabled=false").run(context -> {
            assertUnlimited(context);
            assertThat(context).doesNotHaveBean("rateLimitAdvisor").doesNotHaveBean("rateLimitLimitedBeans");
        });
    }

    @Test
    void leavesNoProxyWhenSwitchedOffOnlyAtRunTime() {
        application.withUserConfiguration(OffAtRunTime.class).run(context -> {
            assertUnlimited(context);
            assertThat(context).hasBean("rateLimitAdvisor");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "on", "1", "TRUE"})
    void isOnWhereverBootBindsTrue(String written) {
        application
                .withPropertyValues("ratelimit.enabled=" + written, "ratelimit.store=local")
                .run(context -> assertThat(AopUtils.isAopProxy(context.getBean(Orders.class)))
                        .isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "off", "0", "FALSE"})
    void isOffWhereverBootBindsFalse(String written) {
        application.withPropertyValues("ratelimit.enabled=" + written).run(context -> {
            assertUnlimited(context);
            assertThat(context).doesNotHaveBean("rateLimitAdvisor");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "perhaps"})
    void doesNotStartWhereItIsNotSaid(String written) {
        application
                .withPropertyValues("ratelimit.enabled=" + written)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Failed to bind properties under 'ratelimit.enabled'"));
    }

    @Test
    void isOnInHttpWhereverBootBindsTrue() {
        String[] properties = {"ratelimit.enabled=on", "ratelimit.store=local"};
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class))
                .withPropertyValues(properties)
                .run(context -> assertThat(context).hasBean("rateLimitExchangeFilter"));
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RateLimitAutoConfiguration.class, ReactiveRateLimitAutoConfiguration.class))
                .withPropertyValues(properties)
                .run(context -> assertThat(context).hasBean("rateLimitExchangeFilter"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ratelimit.limit.orders.permits=1", "ratelimit.http.rules[0].path=api"})
    void stopsTheStartForPropertiesThatCannotBeAllTheSame(String property) {
        application
                .withPropertyValues("ratelimit.enabled=false", property)
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void answersUncounted() {
        application.withPropertyValues("ratelimit.enabled=false").run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            assertThat(limiter.tryAcquire("orders", "acme")).isInstanceOf(Uncounted.class);
            assertThat(limiter.acquire("nobody", "acme", 7, Duration.ofSeconds(1)))
                    .isInstanceOf(Uncounted.class);
            assertThat(limiter.peek("orders", "acme")).isInstanceOf(Uncounted.class);
            assertThat(limiter.refund("orders", "acme", 1)).isInstanceOf(Uncounted.class);
            assertThat(Stages.await(limiter.tryAcquireAsync("orders", "acme"))).isInstanceOf(Uncounted.class);
            assertThat(Stages.await(limiter.acquireAsync("orders", "acme", 7, Duration.ofSeconds(1))))
                    .isInstanceOf(Uncounted.class);
            ReactiveRateLimiter reactive = context.getBean(ReactiveRateLimiter.class);
            assertThat(List.of(
                            reactive.tryAcquire("orders", "acme"),
                            reactive.acquire("orders", "acme", 7, Duration.ofSeconds(1)),
                            reactive.peek("orders", "acme"),
                            reactive.refund("orders", "acme", 1)))
                    .allSatisfy(decision -> assertThat(decision.block()).isInstanceOf(Uncounted.class));
        });
    }

    @Test
    void keepsAStoreThatCountsNothing() {
        application.withPropertyValues("ratelimit.enabled=false").run(context -> {
            RateLimitStore store = context.getBean(RateLimitStore.class);
            Limit limit =
                    Limit.named("orders").permits(1).period(Duration.ofHours(1)).build();
            Charge charge = Charge.of(limit, "acme", 9);
            assertThat(Stages.await(store.acquire(List.of(charge, charge)))).isInstanceOf(Uncounted.class);
            assertThat(Stages.await(store.peek(List.of(charge)))).isInstanceOf(Uncounted.class);
            assertThat(Stages.await(store.refund(List.of(charge)))).isInstanceOf(Uncounted.class);
            assertThat(Stages.await(store.acquireUpTo(charge)).granted()).isEqualTo(9);
            assertThat(Stages.await(store.reserve(List.of(charge))).holds()).isEmpty();
            assertThat(Stages.await(store.cancel(Stages.await(store.reserve(List.of(charge))))))
                    .isZero();
            Stages.await(store.reset(limit, "acme"));
            Stages.await(store.lock(limit, "acme", Duration.ofHours(1)));
        });
    }

    @Test
    void countsInThisJvmWithoutTouchingRedis() {
        application.withPropertyValues("ratelimit.store=local").run(context -> {
            assertThat(context).hasNotFailed();
            RateLimiter limiter = context.getBean(RateLimiter.class);
            assertThat(limiter.tryAcquire("orders", "acme").passes()).isTrue();
            assertThat(limiter.tryAcquire("orders", "acme").passes()).isFalse();
            assertThat(AopUtils.isAopProxy(context.getBean(Orders.class))).isTrue();
        });
    }

    @Test
    void theEndpointSaysSoAndNothingThatItCannotKnow() {
        ApplicationContextRunner shown = application
                .withConfiguration(AutoConfigurations.of(RateLimitEndpointAutoConfiguration.class))
                .withUserConfiguration(Reports.class)
                .withPropertyValues("management.endpoints.web.exposure.include=ratelimits");
        shown.withPropertyValues("ratelimit.enabled=false").run(context -> {
            RateLimitsEndpoint endpoint = context.getBean(RateLimitsEndpoint.class);
            assertThat(endpoint.all()).isEqualTo(Map.of("enabled", false));
            String[] key = {"orders", "key"};
            String[] override = {"orders", "override"};
            assertThat(List.of(
                            endpoint.read(new String[] {"orders"}, null),
                            endpoint.read(new String[] {"reports"}, null),
                            endpoint.read(key, "acme"),
                            endpoint.delete(key, "acme", null),
                            endpoint.delete(override, null, null),
                            endpoint.override(override, "5", null, null, null)))
                    .allSatisfy(answer -> {
                        assertThat(answer.getStatus()).isEqualTo(503);
                        assertThat(answer.getBody())
                                .containsEntry("reason", "Limits are off: ratelimit.enabled = false");
                    });
        });
        shown.withPropertyValues("ratelimit.store=local").run(context -> {
            RateLimitsEndpoint endpoint = context.getBean(RateLimitsEndpoint.class);
            assertThat(endpoint.all()).containsEntry("enabled", true).containsKeys("methods", "limits");
        });
    }

    @Test
    void metersShowNoNumbers() {
        application
                .withConfiguration(AutoConfigurations.of(RateLimitMetricsAutoConfiguration.class))
                .withUserConfiguration(Reports.class)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("ratelimit.enabled=false", "ratelimit.limits.reports.burst=5")
                .run(context -> assertThat(context.getBean(MeterRegistry.class)
                                .find("ratelimit.permits")
                                .gauges())
                        .isEmpty());
    }

    @Test
    void cannotBeSwitchedOnAtRunTimeByWhatWasBuiltWithoutAGate(@TempDir Path directory, CapturedOutput output) {
        String yml = "ratelimit: { enabled: false, store: local, limits: { orders: { permits: 1 } } }";
        assertThat(new FailedStart(directory, output).with(yml, OnAtRunTime.class, Orders.class))
                .contains("ratelimit.enabled = true, and the application has no gate before its methods")
                .contains("built ahead of time with ratelimit.enabled = false")
                .contains("Build it with ratelimit.enabled: true, and switch limits off when it runs");
    }

    private static void assertUnlimited(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        Orders orders = context.getBean(Orders.class);
        assertThat(AopUtils.isAopProxy(orders)).isFalse();
        for (int i = 0; i < 5; i++) {
            orders.create("acme");
        }
    }

    static class Orders {
        @RateLimited(name = "orders", key = "#tenant")
        public void create(String tenant) {}
    }

    /** States numbers that nobody reads while limits are off. */
    static class Reports {
        @RateLimited(name = "reports", permits = 1, period = "1h")
        public void create() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Untouchable {
        @Bean
        @Lazy
        RedisConnectionFactory connectionFactory() {
            throw new IllegalStateException("somebody asked for Redis");
        }
    }

    /** What an application built ahead of time meets: conditions were decided when it was on. */
    @Configuration(proxyBeanMethods = false)
    static class OffAtRunTime {
        @Bean
        static BeanFactoryPostProcessor off(ConfigurableEnvironment environment) {
            return beans -> environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource("run time", Map.of("ratelimit.enabled", "false")));
        }
    }

    /** The same the other way round. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(RateLimitAutoConfiguration.class)
    static class OnAtRunTime {
        @Bean
        static BeanFactoryPostProcessor on(ConfigurableEnvironment environment) {
            return beans -> environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource("run time", Map.of("ratelimit.enabled", "true")));
        }
    }
}
