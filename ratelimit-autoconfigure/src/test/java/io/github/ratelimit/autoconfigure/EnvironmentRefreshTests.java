/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.UnknownLimitException;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.OverrideKeeper;
import io.github.ratelimit.tuning.Overrides.Target;
import io.github.ratelimit.tuning.Tuning;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.autoconfigure.ConfigurationPropertiesRebinderAutoConfiguration;
import org.springframework.cloud.autoconfigure.RefreshAutoConfiguration;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.cloud.context.scope.refresh.RefreshScope;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextStartedEvent;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.mock.env.MockEnvironment;

/** Properties that change while the application runs, as Spring Cloud tells of them. */
@ExtendWith(OutputCaptureExtension.class)
class EnvironmentRefreshTests {

    private static final Target ORDERS = new Target("orders", null);

    private final Map<String, Object> remote = new HashMap<>();

    @Test
    void putsNewNumbersInForceAndForgetsThoseRemoved() {
        run(context -> {
            remote.put("ratelimit.limits.orders.permits", "20");
            changed(context);
            assertThat(permits(context)).isEqualTo(20);

            remote.clear();
            changed(context);
            assertThat(permits(context)).isEqualTo(10);
        });
    }

    @Test
    void keepsOverrides() {
        run(context -> {
            context.getBean(OverrideKeeper.class).put(new Target("orders", null), new Numbers(5L, null, null));
            remote.put("ratelimit.limits.orders.permits", "20");
            changed(context);
            assertThat(permits(context)).isEqualTo(5);

            context.getBean(OverrideKeeper.class).remove("orders", null);
            assertThat(permits(context)).isEqualTo(20);
        });
    }

    @Test
    void letsNoOverrideHideWhatIsInvalid(CapturedOutput output) {
        run(context -> {
            OverrideKeeper overrides = context.getBean(OverrideKeeper.class);
            overrides.put(ORDERS, new Numbers(5L, null, null));
            remote.put("ratelimit.limits.orders.permits", "0");
            changed(context);
            assertThat(permits(context)).isEqualTo(5);

            overrides.remove("orders", null);
            assertThat(permits(context)).isEqualTo(10);
        });
        assertThat(output.getOut().lines().filter(line -> line.contains("ERROR")))
                .singleElement()
                .asString()
                .contains("the old ones hold", "permits = 0");
    }

    @Test
    void dropsTheOverrideThatNewPropertiesCannotWorkWith(CapturedOutput output) {
        run(context -> {
            context.getBean(OverrideKeeper.class).put(ORDERS, new Numbers(null, null, 3L));
            remote.put("ratelimit.limits.orders.algorithm", "fixed-window");
            remote.put("ratelimit.limits.late.permits", "7");
            changed(context);

            LimitCatalog catalog = context.getBean(LimitCatalog.class);
            assertThat(catalog.base("orders").limit().algorithm()).isEqualTo(Algorithm.FIXED_WINDOW);
            assertThat(catalog.base("late").limit().permits()).isEqualTo(7);
        });
        assertThat(output.getOut().lines().filter(line -> line.contains("ERROR")))
                .isEmpty();
        assertThat(output.getOut().lines().filter(line -> line.contains("WARN")))
                .singleElement()
                .asString()
                .contains("An override is ignored: Limit 'orders': burst = 3");
    }

    /** What is not a limit's own. */
    @Test
    void putsInForceWhatHoldsForAllLimits() {
        run(context -> {
            remote.put("ratelimit.shadow", "true");
            remote.put("ratelimit.on-store-failure", "deny");
            remote.put("ratelimit.defaults.period", "7s");
            changed(context);
            LimitCatalog catalog = context.getBean(LimitCatalog.class);
            assertThat(catalog.base("orders").limit().shadow()).isTrue();
            assertThat(catalog.base("orders").limit().onStoreFailure()).isEqualTo(FailurePolicy.DENY);
            assertThat(catalog.base("orders").limit().period()).isEqualTo(Duration.ofSeconds(7));

            remote.clear();
            changed(context);
            assertThat(catalog.base("orders").limit().shadow()).isFalse();
            assertThat(catalog.base("orders").limit().onStoreFailure()).isEqualTo(FailurePolicy.LOCAL);
            assertThat(catalog.base("orders").limit().period()).isEqualTo(Duration.ofMinutes(1));
        });
    }

    /** One refresh has read and has yet to put in force what it read, when another begins. */
    @Test
    void endsWithWhatWasReadLast() throws Exception {
        CountDownLatch hasRead = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        LimitCatalog catalog = new LimitCatalog(Tuning.of(Map.of()), (limit, key) -> null);
        MockEnvironment environment = new MockEnvironment().withProperty("ratelimit.limits.orders.permits", "10");
        AtomicBoolean first = new AtomicBoolean(true);
        EnvironmentRefresh refresh = new EnvironmentRefresh(
                environment,
                StrictProperties.bind(environment),
                () -> {
                    if (first.getAndSet(false)) {
                        hasRead.countDown();
                        await().until(() -> mayGoOn.getCount() == 0);
                    }
                    return catalog;
                },
                () -> {});
        Thread older =
                new Thread(() -> refresh.onApplicationEvent(new ContextStartedEvent(new StaticApplicationContext())));
        older.start();
        hasRead.await();
        environment.setProperty("ratelimit.limits.orders.permits", "20");
        Thread newer =
                new Thread(() -> refresh.onApplicationEvent(new ContextStartedEvent(new StaticApplicationContext())));
        newer.start();
        await().until(() -> newer.getState() == Thread.State.WAITING || newer.getState() == Thread.State.TERMINATED);
        mayGoOn.countDown();
        older.join();
        newer.join();

        assertThat(catalog.base("orders").limit().permits()).isEqualTo(20);
    }

    @Test
    void letsALimitFollowTheLoadFromThenOn() {
        run(context -> {
            remote.put("ratelimit.limits.orders.adaptive.min-permits", "2");
            changed(context);
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .contains("ratelimit-adaptive");
        });
    }

    @Test
    void showsTheMetersOfALimitThatWasNotThereBefore() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        application()
                .withConfiguration(AutoConfigurations.of(RateLimitMetricsAutoConfiguration.class))
                .withBean(MeterRegistry.class, () -> registry)
                .run(context -> {
                    remote.put("ratelimit.limits.late.permits", "7");
                    changed(context);

                    assertThat(registry.get("ratelimit.permits")
                                    .tag("limit", "late")
                                    .gauge()
                                    .value())
                            .isEqualTo(7);
                    assertThat(registry.get("ratelimit.decisions")
                                    .tag("limit", "late")
                                    .counters())
                            .isNotEmpty();

                    remote.clear();
                    changed(context);
                    assertThat(registry.get("ratelimit.permits")
                                    .tag("limit", "late")
                                    .gauge()
                                    .value())
                            .isNaN();
                });
    }

    @Test
    void removesTheOverrideOfALimitThatIsGone() {
        run(context -> {
            OverrideKeeper overrides = context.getBean(OverrideKeeper.class);
            LimitCatalog catalog = context.getBean(LimitCatalog.class);
            remote.put("ratelimit.limits.late.permits", "7");
            changed(context);
            overrides.put(new Target("late", null), new Numbers(5L, null, null));
            assertThat(catalog.idleOverrides()).isEmpty();

            remote.clear();
            changed(context);
            assertThat(catalog.idleOverrides()).containsOnlyKeys(new Target("late", null));

            overrides.remove("late", null);
            assertThat(catalog.idleOverrides()).isEmpty();
            assertThatExceptionOfType(UnknownLimitException.class).isThrownBy(() -> overrides.remove("late", null));
        });
    }

    @Test
    void keepsTheOldNumbersWhereTheNewAreInvalid(CapturedOutput output) {
        run(context -> {
            remote.put("ratelimit.limits.orders.permits", "0");
            changed(context);
            assertThat(permits(context)).isEqualTo(10);

            remote.put("ratelimit.limits.orders.permits", "many");
            changed(context);
            assertThat(permits(context)).isEqualTo(10);

            remote.clear();
            remote.put("ratelimit.limits.orders.permitz", "5");
            changed(context);
            assertThat(permits(context)).isEqualTo(10);
        });
        assertThat(output.getOut().lines().filter(line -> line.contains("ERROR")))
                .hasSize(3)
                .allMatch(line -> line.contains("the old ones hold"))
                .anyMatch(line -> line.contains("permits = 0"))
                .anyMatch(line -> line.contains("ratelimit.limits.orders.permits = many: For input string"))
                .anyMatch(line -> line.contains("permitz"));
    }

    /** The whole way, from a file that changes to the limit, with everything Spring Cloud does to beans on it. */
    @Test
    void followsAFileThatSpringCloudReadsAnew(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("application.yml");
        Files.writeString(file, "ratelimit.limits.orders: { permits: 10, burst: 5 }");
        SpringApplicationBuilder builder = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = builder.run(
                "--spring.config.location=file:" + file, "--spring.main.banner-mode=off", "--ratelimit.store=local")) {
            LimitCatalog catalog = context.getBean(LimitCatalog.class);
            OverrideKeeper overrides = context.getBean(OverrideKeeper.class);
            ContextRefresher refresher = context.getBean(ContextRefresher.class);
            overrides.put(new Target("orders", null), new Numbers(null, Duration.ofSeconds(7), null));

            Files.writeString(file, "ratelimit.limits.orders: { permits: 20 }");
            assertThat(refresher.refresh())
                    .containsExactlyInAnyOrder("ratelimit.limits.orders.permits", "ratelimit.limits.orders.burst");
            Limit limit = catalog.base("orders").limit();
            assertThat(limit.permits()).isEqualTo(20);
            assertThat(limit.burst()).isEqualTo(20);
            assertThat(limit.period()).isEqualTo(Duration.ofSeconds(7));

            context.getBean(RefreshScope.class).refreshAll();
            overrides.remove("orders", null);
            assertThat(catalog.base("orders").limit().period()).isEqualTo(Duration.ofMinutes(1));
        }
    }

    @ImportAutoConfiguration({
        RateLimitAutoConfiguration.class,
        RefreshAutoConfiguration.class,
        ConfigurationPropertiesRebinderAutoConfiguration.class
    })
    @Configuration(proxyBeanMethods = false)
    static class Application {}

    private void run(ContextConsumer<AssertableApplicationContext> test) {
        application().run(test);
    }

    private ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withInitializer(context ->
                        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("remote", remote)))
                .withPropertyValues("ratelimit.store=local", "ratelimit.limits.orders.permits=10");
    }

    private void changed(AssertableApplicationContext context) {
        context.publishEvent(new EnvironmentChangeEvent(context, Set.copyOf(remote.keySet())));
    }

    private static long permits(AssertableApplicationContext context) {
        return context.getBean(LimitCatalog.class).base("orders").limit().permits();
    }
}
