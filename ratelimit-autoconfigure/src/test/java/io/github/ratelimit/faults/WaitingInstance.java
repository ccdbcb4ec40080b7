/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** An instance in a JVM of its own whose callers wait in a leaky bucket until somebody ends it. */
final class WaitingInstance {

    static final String LIMIT = "paced";
    static final String KEY = "partner";

    private WaitingInstance() {}

    /** Starts it; first argument: how many callers, the others: its properties. */
    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(Paced.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        ConfigurableApplicationContext context = application.run(arguments);
        RateLimiter limiter = context.getBean(RateLimiter.class);
        int callers = context.getEnvironment().getRequiredProperty("callers", Integer.class);
        for (int i = 0; i < callers; i++) {
            new Thread(() -> wait(limiter), "caller-" + i).start();
        }
    }

    /** Asks until Redis, which may still be out of reach, lets it wait. */
    private static void wait(RateLimiter limiter) {
        while (!limiter.acquire(LIMIT, KEY, 1, Duration.ofMinutes(5)).passes()) {
            Thread.onSpinWait();
        }
    }

    @ImportAutoConfiguration({RedisAutoConfiguration.class, RateLimitAutoConfiguration.class})
    static class Paced {}
}
