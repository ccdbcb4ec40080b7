/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** This library, the whole way: a call of an annotated method, or of the limiter, with deadline, breaker, listener and metrics. */
final class Ours implements Contender {

    /** Of the jar with the gateway's script. */
    static final String EXCLUDED =
            "org.springframework.cloud.gateway.config.GatewayNoLoadBalancerClientAutoConfiguration";

    static final String NAME = "ratelimit";
    static final String BUCKET = "ratelimit: token bucket";
    static final String WINDOW = "ratelimit: exact window";
    static final String BY_CODE = "ratelimit: by code";
    static final String TRIP_BY_TRIP = "ratelimit: trip by trip";

    private final String name;
    private final ConfigurableApplicationContext application;
    private final Predicate<String> call;
    private final Function<String, CompletionStage<?>> async;

    private Ours(
            String name,
            RedisServer redis,
            String limit,
            Function<ApplicationContext, Predicate<String>> way,
            boolean spares) {
        this.name = name;
        this.application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(Map.of(
                        "spring.main.banner-mode",
                        "off",
                        "logging.level.root",
                        "warn",
                        "spring.autoconfigure.exclude",
                        EXCLUDED,
                        "spring.data.redis.host",
                        redis.host(),
                        "spring.data.redis.port",
                        redis.port(),
                        "ratelimit.store-timeout",
                        "5s",
                        "ratelimit.redis.denial-cache",
                        spares,
                        "ratelimit.redis.coalescing",
                        spares))
                .run();
        this.call = way.apply(application);
        Limited limited = application.getBean(Limited.class);
        RateLimiter limiter = application.getBean(RateLimiter.class);
        this.async = name.equals(BY_CODE)
                ? key -> limiter.tryAcquireAsync(limit, key)
                : limit.equals("allowed") ? limited::allowedLater : limited::deniedLater;
    }

    private static Function<ApplicationContext, Predicate<String>> annotated(BiPredicate<Limited, String> method) {
        return application -> {
            Limited limited = application.getBean(Limited.class);
            return key -> {
                try {
                    return method.test(limited, key);
                } catch (RateLimitExceededException denied) {
                    return false;
                }
            };
        };
    }

    private static Function<ApplicationContext, Predicate<String>> annotated(Scenario scenario) {
        return annotated(scenario.isAllowed() ? Limited::allowed : Limited::denied);
    }

    private static String limit(Scenario scenario) {
        return scenario.isAllowed() ? "allowed" : "denied";
    }

    /** As it comes. */
    static Ours byDefault(RedisServer redis, Scenario scenario) {
        return new Ours(NAME, redis, limit(scenario), annotated(scenario), true);
    }

    /** As it comes, called as the others are: without an annotation. */
    static Ours byCode(RedisServer redis, Scenario scenario) {
        String limit = limit(scenario);
        return new Ours(
                BY_CODE,
                redis,
                limit,
                application -> {
                    RateLimiter limiter = application.getBean(RateLimiter.class);
                    return key -> limiter.tryAcquire(limit, key).passes();
                },
                true);
    }

    /** One trip for each decision. */
    static Ours tripByTrip(RedisServer redis, Scenario scenario) {
        return new Ours(TRIP_BY_TRIP, redis, limit(scenario), annotated(scenario), false);
    }

    /** A token bucket of 100 a minute. */
    static Ours bucket(RedisServer redis) {
        return new Ours(BUCKET, redis, "", annotated(Limited::bucket), true);
    }

    /** An exact window of 100 a minute. */
    static Ours window(RedisServer redis) {
        return new Ours(WINDOW, redis, "", annotated(Limited::window), true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean decide(String key) {
        return call.test(key);
    }

    @Override
    public boolean isAsync() {
        return true;
    }

    @Override
    public CompletionStage<?> decideAsync(String key) {
        return async.apply(key);
    }

    @Override
    public void close() {
        application.close();
    }

    /** An application with a limited bean. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Limited limited() {
            return new Limited();
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        RateLimitListener listener() {
            return decision -> {};
        }
    }

    /** The bean; its limits are those of {@link Scenario}. */
    static class Limited {

        @RateLimited(name = "allowed", permits = Scenario.ALLOWING_PERMITS, period = "1s", key = "#key")
        boolean allowed(String key) {
            return !key.isEmpty();
        }

        @RateLimited(name = "denied", permits = 1, period = Scenario.DENYING_DAYS + "d", key = "#key")
        boolean denied(String key) {
            return !key.isEmpty();
        }

        @RateLimited(name = "allowed", key = "#key")
        CompletionStage<Boolean> allowedLater(String key) {
            return CompletableFuture.completedFuture(!key.isEmpty());
        }

        @RateLimited(name = "denied", key = "#key")
        CompletionStage<Boolean> deniedLater(String key) {
            return CompletableFuture.completedFuture(!key.isEmpty());
        }

        @RateLimited(name = "api", permits = 100, period = "1m", key = "#key")
        boolean bucket(String key) {
            return !key.isEmpty();
        }

        @RateLimited(name = "log", algorithm = Algorithm.SLIDING_WINDOW_LOG, permits = 100, period = "1m", key = "#key")
        boolean window(String key) {
            return !key.isEmpty();
        }
    }
}
