/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate.boot4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** Spring 7's own {@code @Retryable} stands outside all advice: each attempt is a call, and counted. */
class RetryableOfSpring7Tests {

    @Test
    void countsEachAttempt() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withPropertyValues(
                        "ratelimit.store=local", "ratelimit.defaults.permits=4", "ratelimit.defaults.period=1h")
                .withUserConfiguration(Resilience.class, Orders.class)
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    assertThatThrownBy(orders::retried).hasMessage("attempt 3");
                    assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::retried);
                    assertThat(orders.bodies()).hasValue(4);
                });
    }

    static class Orders {

        private final AtomicInteger bodies = new AtomicInteger();

        AtomicInteger bodies() {
            return bodies;
        }

        @Retryable(maxRetries = 2, delay = 1)
        @RateLimited
        public void retried() {
            throw new IllegalStateException("attempt " + bodies.incrementAndGet());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class Resilience {}
}
