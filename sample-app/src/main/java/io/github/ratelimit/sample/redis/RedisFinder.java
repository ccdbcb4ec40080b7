/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.redis;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Finds out where to count, before anything is wired, and says so: on the Redis at the usual place, else on the bundled
 * one, else in this JVM. Whoever sets {@code ratelimit.store} has decided already.
 */
public final class RedisFinder implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

    private static final Logger log = LoggerFactory.getLogger(RedisFinder.class);

    /** What {@code application.yml} says until somebody knows. */
    private static final String UNDECIDED = "undecided";

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        if (UNDECIDED.equals(environment.getProperty("ratelimit.store"))) {
            boolean aheadOfTime = Boolean.getBoolean("spring.aot.processing");
            Map<String, Object> found = aheadOfTime ? Map.of("sample.store", "redis") : find(environment);
            environment.getPropertySources().addFirst(new MapPropertySource("sample.redis", found));
        }
    }

    private static Map<String, Object> find(ConfigurableEnvironment environment) {
        if (!Set.of("host", "port", "repositories").containsAll(stated(environment))) {
            log.info("Counting on the Redis that spring.data.redis names");
            return Map.of("sample.store", "redis");
        }
        String host = environment.getProperty("spring.data.redis.host", "localhost");
        int port = environment.getProperty("spring.data.redis.port", Integer.class, 6379);
        String missing;
        try {
            log.info("Counting on the Redis {} found at {}:{}", RedisProbe.versionAt(host, port), host, port);
            return Map.of("sample.store", "redis");
        } catch (IOException reason) {
            missing = "No Redis to count on at %s:%d (%s).".formatted(host, port, reason.getMessage());
        }
        try {
            return bundled(BundledRedis.start(), missing);
        } catch (IOException reason) {
            log.warn("{} No bundled one either ({}). Counting in this JVM alone", missing, reason.getMessage());
            return Map.of("sample.store", "local");
        }
    }

    private static Set<String> stated(ConfigurableEnvironment environment) {
        return Binder.get(environment)
                .bind("spring.data.redis", Bindable.mapOf(String.class, Object.class))
                .orElseGet(Map::of)
                .keySet();
    }

    private static Map<String, Object> bundled(BundledRedis redis, String missing) {
        SpringApplication.getShutdownHandlers().add(redis::close);
        log.info(
                "{} Counting on the bundled Redis {} at {}:{}, which ends with the sample",
                missing,
                redis.version(),
                BundledRedis.HOST,
                redis.port());
        return Map.of(
                "sample.store",
                "redis",
                "spring.data.redis.host",
                BundledRedis.HOST,
                "spring.data.redis.port",
                redis.port());
    }
}
