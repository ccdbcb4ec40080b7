/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.RateLimiter;
import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application whose Redis is not there starts, and limits by its failure policies. */
class StartWithoutRedisTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
            .withPropertyValues(
                    "spring.application.name=without-redis",
                    "spring.data.redis.port=" + closedPort(),
                    "ratelimit.limits.counted.permits=1",
                    "ratelimit.limits.refused.permits=1",
                    "ratelimit.limits.refused.on-store-failure=deny",
                    "ratelimit.limits.own.permits=1",
                    "ratelimit.limits.own.store=local");

    @Test
    void countsInThisJvm() {
        application.run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            assertThat(limiter.tryAcquire("counted", "acme").passes()).isTrue();
            assertThat(limiter.tryAcquire("counted", "acme").passes()).isFalse();
        });
    }

    @Test
    void deniesWhereTheLimitSaysSo() {
        application.run(context -> assertThat(context.getBean(RateLimiter.class).tryAcquire("refused", "acme"))
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.reason()).isEqualTo(DenialReason.STORE_UNAVAILABLE)));
    }

    @Test
    void needsNoRedisForALimitOfEachInstance() {
        application.run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            assertThat(limiter.tryAcquire("own", "acme").passes()).isTrue();
            assertThat(limiter.tryAcquire("own", "acme"))
                    .isInstanceOfSatisfying(
                            Denied.class, denied -> assertThat(denied.reason()).isEqualTo(DenialReason.PERMITS_SPENT));
        });
    }

    private static int closedPort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
