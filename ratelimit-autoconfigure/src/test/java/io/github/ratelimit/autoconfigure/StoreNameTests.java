/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.actuate.RateLimitsEndpoint;
import io.github.ratelimit.limiter.UncountedRateLimitStore;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The endpoint calls the store of a limit what the meters call it. */
class StoreNameTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitEndpointAutoConfiguration.class))
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=ratelimits",
                    "ratelimit.limits.orders.permits=1",
                    "ratelimit.limits.instance.permits=1",
                    "ratelimit.limits.instance.store=local");

    @Test
    void ofAnApplicationsOwnStore() {
        named(application.withBean(UncountedRateLimitStore.class), "own", "own");
    }

    @Test
    void ofThisJvm() {
        named(application.withPropertyValues("ratelimit.store=local"), "local", "local");
    }

    @Test
    void ofRedisAndBeforeIt() {
        named(
                application
                        .withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class))
                        .withPropertyValues("spring.data.redis.port=1"),
                "redis",
                "local");
    }

    private static void named(ApplicationContextRunner application, String orders, String instance) {
        application.run(context -> {
            RateLimitsEndpoint endpoint = context.getBean(RateLimitsEndpoint.class);
            assertThat(body(endpoint, "orders")).containsEntry("store", orders);
            assertThat(body(endpoint, "instance")).containsEntry("store", instance);
        });
    }

    private static Map<String, Object> body(RateLimitsEndpoint endpoint, String limit) {
        return Objects.requireNonNull(endpoint.read(new String[] {limit}, null).getBody());
    }
}
