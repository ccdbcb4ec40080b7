/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.ratelimit.actuate.RateLimitsEndpoint;
import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A request of the endpoint on a thread that somebody wants back. */
class InterruptedRequestTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RedisAutoConfiguration.class,
                    RateLimitAutoConfiguration.class,
                    RateLimitEndpointAutoConfiguration.class))
            .withPropertyValues(
                    "spring.application.name=interrupted",
                    "management.endpoints.web.exposure.include=ratelimits",
                    "ratelimit.store-timeout=1m",
                    "ratelimit.limits.orders.permits=1");

    @Test
    void doesNotWaitForAnAnswer() {
        try (RedisServer redis = RedisServer.start()) {
            application
                    .withPropertyValues(
                            "spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port())
                    .run(context -> {
                        RateLimitsEndpoint endpoint = context.getBean(RateLimitsEndpoint.class);
                        redis.pause();
                        WebEndpointResponse<?> answer = assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
                            Thread.currentThread().interrupt();
                            try {
                                return endpoint.read(new String[] {"orders", "key"}, "acme");
                            } finally {
                                assertThat(Thread.interrupted()).isTrue();
                            }
                        });
                        assertThat(answer.getStatus()).isEqualTo(503);
                    });
        }
    }
}
