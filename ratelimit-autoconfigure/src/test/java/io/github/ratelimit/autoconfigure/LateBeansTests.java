/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.OverrideKeeper;
import io.github.ratelimit.tuning.Overrides.Target;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** A bean whose class only its making tells, made after the start, is checked as it would have been at the start. */
@ExtendWith(OutputCaptureExtension.class)
class LateBeansTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
            .withUserConfiguration(Late.class)
            .withPropertyValues("ratelimit.store=local");

    @Test
    void anOverrideBelowItsCostDoesNotKeepItFromBeingMade() {
        application.withPropertyValues("ratelimit.limits.exports.permits=100").run(context -> {
            overridePermits(context, 10);
            assertThat(context.getBean("exports")).isInstanceOf(Exports.class);
        });
    }

    @Test
    void anOverrideHidesNoMistake() {
        application.withPropertyValues("ratelimit.limits.exports.permits=10").run(context -> {
            overridePermits(context, 100);
            assertThatThrownBy(() -> context.getBean("exports"))
                    .hasRootCauseInstanceOf(InvalidAnnotationException.class)
                    .hasStackTraceContaining("is more than limit 'exports' can ever hold, which is 10");
        });
    }

    @Test
    void itsLimitIsShownByTheMeters(CapturedOutput output) {
        application
                .withConfiguration(AutoConfigurations.of(RateLimitMetricsAutoConfiguration.class))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withUserConfiguration(LateReports.class)
                .withPropertyValues("ratelimit.limits.orders.permits=5")
                .run(context -> {
                    assertThat(context.getBean("reports")).isInstanceOf(Reports.class);

                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.get("ratelimit.permits")
                                    .tag("limit", "reports")
                                    .gauge()
                                    .value())
                            .isEqualTo(7);
                    assertThat(registry.get("ratelimit.decisions")
                                    .tag("limit", "reports")
                                    .counters())
                            .isNotEmpty();
                    context.publishEvent(new EnvironmentChangeEvent(context, Set.of()));
                    assertThat(output).doesNotContain("already registered");
                });
    }

    private static void overridePermits(ApplicationContext context, long permits) {
        context.getBean(OverrideKeeper.class).put(new Target("exports", null), new Numbers(permits, null, null));
    }

    @Configuration(proxyBeanMethods = false)
    static class Late {
        @Bean
        @Lazy
        Object exports() {
            return new Exports();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LateReports {
        @Bean
        @Lazy
        Object reports() {
            return new Reports();
        }
    }

    static class Reports {
        @RateLimited(name = "reports", permits = 7, period = "1h")
        public void create() {}
    }

    static class Exports {
        @RateLimited(name = "exports", cost = "50")
        public void create() {}
    }
}
