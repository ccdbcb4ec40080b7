/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is optional may be missing for good: an application runs, and limits, on a class path that does not have it. (A
 * filtered class loader hides a library from conditions only; the library's own classes would still find it.) AspectJ and
 * Spring Security are on no class path of this module.
 */
@WithRedis
class AbsentLibrariesTests {

    private static final String[] LOCAL = {
        "--ratelimit.store=local", "--ratelimit.defaults.permits=2", "--ratelimit.defaults.period=1h"
    };

    /** What Spring Boot itself needs; Micrometer's observations are a part of Spring's core. */
    private static final String LEAST = "(spring-(boot|boot-autoconfigure|core|jcl|beans|context|aop|expression)"
            + "|slf4j-api|logback-(core|classic)|jul-to-slf4j|log4j-.*|jspecify|commons-logging|snakeyaml"
            + "|micrometer-(commons|observation)|jakarta.annotation-api)-[0-9].*\\.jar";

    private final RedisServer redis;

    AbsentLibrariesTests(RedisServer redis) {
        this.redis = redis;
    }

    @Test
    void limitsWithSpringBootAlone() throws Exception {
        try (ReducedClassPath path = ReducedClassPath.only(LEAST)) {
            assertThat(path.has("reactor.core.publisher.Mono")).isFalse();
            assertThat(path.has("org.springframework.web.bind.annotation.RestController"))
                    .isFalse();
            assertThat(path.run(LeastApplication.class, LOCAL)).isEqualTo("LocalRateLimitStore: 2, 2, 2");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "org.springframework.data.redis.core.RedisTemplate, spring-data-.*",
        "reactor.core.publisher.Mono, (reactor|lettuce|kotlinx-coroutines-rea|spring-webflux).*",
        "io.micrometer.core.instrument.MeterRegistry, (micrometer-core|spring-boot-actuator).*",
        "io.micrometer.context.ContextSnapshot, context-propagation.*",
        "org.springframework.web.bind.annotation.RestController, (spring-web|jakarta.servlet|tomcat).*",
        "kotlin.coroutines.Continuation, kotlin.*",
    })
    void limitsWithout(String type, String jars) throws Exception {
        try (ReducedClassPath path = ReducedClassPath.without(jars)) {
            assertThat(path.has(type)).isFalse();
            assertThat(path.run(LeastApplication.class, LOCAL)).isEqualTo("LocalRateLimitStore: 2, 2, 2");
        }
    }

    @ParameterizedTest
    @CsvSource({"io.lettuce.core.RedisClient, lettuce.*", "redis.clients.jedis.Jedis, jedis.*"})
    void countsInRedisWithoutTheOtherClient(String type, String jars) throws Exception {
        try (ReducedClassPath path = ReducedClassPath.without(jars)) {
            assertThat(path.has(type)).isFalse();
            assertThat(path.run(
                            LeastApplication.class,
                            "--spring.application.name=without-" + type,
                            "--spring.data.redis.host=" + redis.host(),
                            "--spring.data.redis.port=" + redis.port(),
                            "--ratelimit.store-timeout=20s",
                            "--ratelimit.defaults.permits=2",
                            "--ratelimit.defaults.period=1h"))
                    .isEqualTo("PerInstanceStore: 2, 2, 2");
        }
    }
}
