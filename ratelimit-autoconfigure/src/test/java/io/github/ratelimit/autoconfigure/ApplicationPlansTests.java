/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.PlanResolver;
import io.github.ratelimit.RateLimiter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The application's plan resolver: one, or one that is primary; several are a mistake at start, not at the first call. */
@ExtendWith(OutputCaptureExtension.class)
class ApplicationPlansTests {

    @TempDir
    Path directory;

    @Test
    void tellsThatThereAreSeveral(CapturedOutput output) {
        assertThat(new FailedStart(directory, output)
                        .with("ratelimit.store: local", RateLimitAutoConfiguration.class, Two.class))
                .contains("The application has 2 PlanResolver beans, none of them primary, so which one says who is on"
                        + " which plan would be chance: gold, silver.")
                .contains("Mark the one that is to be asked with @Primary, or let one bean ask the others.");
    }

    @Test
    void startsWithSeveralWhenLimitingIsOff() {
        application()
                .withUserConfiguration(Two.class)
                .withPropertyValues("ratelimit.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void takesThePrimaryOne() {
        application()
                .withUserConfiguration(OnePrimary.class)
                .withPropertyValues(
                        "ratelimit.limits.orders.permits=1",
                        "ratelimit.limits.orders.period=1h",
                        "ratelimit.limits.orders.plans.gold.permits=3")
                .run(context -> assertThat(context.getBean(RateLimiter.class)
                                .tryAcquire("orders", "acme")
                                .plan())
                        .isEqualTo("gold"));
    }

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withPropertyValues("ratelimit.store=local");
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {
        @Bean
        PlanResolver gold() {
            return (limit, key) -> "gold";
        }

        @Bean
        PlanResolver silver() {
            return (limit, key) -> "silver";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnePrimary {
        @Bean
        @Primary
        PlanResolver gold() {
            return (limit, key) -> "gold";
        }

        @Bean
        PlanResolver silver() {
            return (limit, key) -> "silver";
        }
    }
}
