/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The default prefix of the keys in Redis is the same whether it is written out or not, and so is what it may be. */
@WithRedis
class KeyPrefixTests {

    private static final String WRITTEN_OUT = "ratelimit.key-prefix=ratelimit:${spring.application.name:}";

    private final String name = "Order Service " + UUID.randomUUID();
    private final ApplicationContextRunner application;
    private final RedisServer redis;

    KeyPrefixTests(RedisServer redis) {
        this.redis = redis;
        this.application = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
                .withPropertyValues(
                        "ratelimit.limits.orders.permits=2",
                        "ratelimit.limits.orders.period=1h",
                        "ratelimit.store-timeout=20s",
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port());
    }

    @Test
    void anApplicationsNameMayHaveBlanks() {
        ApplicationContextRunner named = application.withPropertyValues("spring.application.name=" + name);
        named.run(context -> take(context.getBean(RateLimiter.class)));
        named.withPropertyValues(WRITTEN_OUT).run(context -> {
            take(context.getBean(RateLimiter.class));
            assertThat(context.getBean(RateLimiter.class)
                            .tryAcquire("orders", "acme")
                            .passes())
                    .isFalse();
        });
        assertThat(redis.command("EXISTS", "ratelimit:" + name + ":orders:{acme}:tb1"))
                .isEqualTo(1L);
    }

    @Test
    void anApplicationsNameMayHaveNoBraces() {
        ApplicationContextRunner braced = application.withPropertyValues("spring.application.name=a{b}");
        for (ApplicationContextRunner either :
                new ApplicationContextRunner[] {braced, braced.withPropertyValues(WRITTEN_OUT)}) {
            either.run(context -> assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("ratelimit.key-prefix")
                    .hasStackTraceContaining("has a brace or a control character in it, or nothing"));
        }
    }

    private static void take(RateLimiter limiter) {
        assertThat(limiter.tryAcquire("orders", "acme").passes()).isTrue();
    }
}
