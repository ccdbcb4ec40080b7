/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application that names nothing but Spring Boot and this library. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(LeastApplication.LeastOrders.class)
public class LeastApplication {

    /** Starts it, calls until it is denied, and tells what happened. */
    public static String run(String... arguments) {
        SpringApplication application = new SpringApplication(LeastApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            LeastOrders orders = context.getBean(LeastOrders.class);
            RateLimiter limiter = context.getBean(RateLimiter.class);
            return "%s: %s, %s, %s"
                    .formatted(
                            context.getBean(RateLimitStore.class).getClass().getSimpleName(),
                            passing(() -> orders.create("acme")),
                            passing(() -> orders.createLater("acme").join()),
                            passing(() -> limiter.tryAcquire("least-orders-create", "umbrella")
                                    .passes()));
        }
    }

    private static int passing(BooleanSupplier call) {
        for (int passed = 0; passed < 10; passed++) {
            try {
                if (!call.getAsBoolean()) {
                    return passed;
                }
            } catch (RateLimitExceededException | CompletionException e) {
                return passed;
            }
        }
        return 10;
    }

    /** Limited, with an expression that is read without SpEL and one that is not. */
    public static class LeastOrders {

        /** A plain call. */
        @RateLimited(key = "#tenant")
        public boolean create(String tenant) {
            return true;
        }

        /** A stage. */
        @RateLimited(key = "#tenant + '!'")
        public CompletableFuture<Boolean> createLater(String tenant) {
            return CompletableFuture.completedFuture(true);
        }
    }
}
