/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The annotation on a controller of each stack, with numbers only in properties, counted on a real Redis. */
@WithRedis
class LimitedControllerTests {

    private final RedisServer redis;

    LimitedControllerTests(RedisServer redis) {
        this.redis = redis;
    }

    @ParameterizedTest
    @EnumSource
    void countsEachTenantByItself(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                Application.class,
                "spring.application.name=" + stack,
                "spring.data.redis.host=" + redis.host(),
                "spring.data.redis.port=" + redis.port(),
                "ratelimit.store-timeout=20s",
                "ratelimit.limits.orders-order.permits=1",
                "ratelimit.limits.orders-order.period=1h")) {
            assertThat(app.get("/tenants/acme").body()).isEqualTo("ordered for acme");
            assertThat(app.get("/tenants/acme").statusCode()).isEqualTo(429);
            assertThat(app.get("/tenants/umbrella").body()).isEqualTo("ordered for umbrella");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Application {}

    @RestController
    static class Orders {

        @GetMapping("/tenants/{tenantId}")
        @RateLimited(algorithm = Algorithm.TOKEN_BUCKET, key = "#tenantId")
        public String order(@PathVariable String tenantId) {
            return "ordered for " + tenantId;
        }
    }
}
