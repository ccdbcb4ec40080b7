/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.docs;

import static io.github.ratelimit.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.local.LocalRateLimitStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Examples of {@code docs/testing.md}: limits are tested in this JVM, and the test says what time it is. */
@SpringBootTest
class MovedClockExampleTests {

    @Autowired
    private OrderService orders;

    @Autowired
    private RateLimiter limiter;

    @Autowired
    private AtomicLong microsClock;

    @TestConfiguration
    static class CountedHere {

        @Bean
        AtomicLong microsClock() {
            return new AtomicLong(1_800_000_000_000_000L);
        }

        @Bean
        RateLimitStore store(AtomicLong microsClock) {
            return new LocalRateLimitStore(microsClock::get, 1_000);
        }
    }

    @BeforeEach
    void nobodyHasOrderedYet() {
        limiter.reset("order-service-create", "acme");
    }

    @Test
    void deniesTheSixthOrderAndAllowsItWhenItsTimeHasCome() {
        for (int i = 0; i < 5; i++) {
            orders.create("acme");
        }

        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(() -> orders.create("acme"))
                .satisfies(e -> assertThat(e.denied().retryAfter()).isEqualTo(Duration.ofSeconds(12)));
        microsClock.addAndGet(TimeUnit.SECONDS.toMicros(12));
        assertThat(orders.create("acme")).isEqualTo("ordered for acme");
    }

    @Test
    void countsWhoeverIsNamedByTheKey() {
        orders.create("acme");

        assertThat(limiter.peek("order-service-create", "acme"))
                .isInstanceOfSatisfying(
                        Allowed.class, state -> assertThat(state.remaining()).isEqualTo(4));
        assertThat(limiter.peek("order-service-create", "umbrella"))
                .isInstanceOfSatisfying(
                        Allowed.class, state -> assertThat(state.remaining()).isEqualTo(5));
    }

    static class OrderService {

        @RateLimited(algorithm = TOKEN_BUCKET, permits = 5, period = "1m", key = "#tenantId")
        public String create(String tenantId) {
            return "ordered for " + tenantId;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrderService.class)
    static class Application {}
}
