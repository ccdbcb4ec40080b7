/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The clients of Redis that Spring Boot knows, with and without virtual threads. */
@WithRedis
class ClientsTests {

    @ParameterizedTest
    @CsvSource({"SERVLET, jedis, false", "SERVLET, jedis, true", "SERVLET, lettuce, true", "REACTIVE, jedis, true"})
    void countOnRedis(WebStack stack, String client, boolean virtual, RedisServer redis) throws Exception {
        try (RunningApplication app = stack.start(
                Application.class,
                "spring.application.name=%s-%s-%s".formatted(stack, client, virtual),
                "spring.data.redis.host=" + redis.host(),
                "spring.data.redis.port=" + redis.port(),
                "ratelimit.store-timeout=20s",
                "spring.data.redis.client-type=" + client,
                "spring.threads.virtual.enabled=" + virtual)) {
            assertThat(app.context()
                            .getBean(RedisConnectionFactory.class)
                            .getClass()
                            .getSimpleName())
                    .isEqualToIgnoringCase(client + "ConnectionFactory");
            boolean onVirtual = virtual && Runtime.version().feature() >= 21;
            assertThat(app.get("/").body().startsWith("VirtualThread")).isEqualTo(onVirtual);
            assertThat(app.get("/").statusCode()).isEqualTo(429);
            assertThat(String.valueOf(redis.command("KEYS", "ratelimit:%s-%s-%s:*".formatted(stack, client, virtual))))
                    .contains(":orders:");
        }
    }

    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Application {}

    @RestController
    static class Orders {

        @GetMapping("/")
        @RateLimited(name = "orders", permits = 1, period = "1h")
        public String order() {
            return Thread.currentThread().toString();
        }
    }
}
