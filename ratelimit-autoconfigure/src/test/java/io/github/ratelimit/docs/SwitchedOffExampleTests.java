/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.docs;

import static io.github.ratelimit.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An example of {@code docs/testing.md}: an application that is tested without its limits. */
@SpringBootTest(properties = "ratelimit.enabled=false")
class SwitchedOffExampleTests {

    @Autowired
    private OrderService orders;

    @Autowired
    private RateLimiter limiter;

    @Test
    void ordersAsOftenAsTheTestLikes() {
        for (int i = 0; i < 1_000; i++) {
            orders.create("acme");
        }
        assertThat(limiter.tryAcquire("order-service-create", "acme")).isInstanceOf(Uncounted.class);
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
