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
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** A bean whose class only its making tells, made after the start, is checked as it would have been at the start. */
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

    static class Exports {
        @RateLimited(name = "exports", cost = "50")
        public void create() {}
    }
}
