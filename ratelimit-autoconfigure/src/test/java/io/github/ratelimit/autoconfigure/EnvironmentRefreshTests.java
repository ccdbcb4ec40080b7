/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Limit;
import io.github.ratelimit.UnknownLimitException;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.OverrideKeeper;
import io.github.ratelimit.tuning.Overrides.Target;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
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
import org.springframework.core.env.MapPropertySource;

/** Properties that change while the application runs, as Spring Cloud tells of them. */
@ExtendWith(OutputCaptureExtension.class)
class EnvironmentRefreshTests {

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
                .anyMatch(line -> line.contains("many"))
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
