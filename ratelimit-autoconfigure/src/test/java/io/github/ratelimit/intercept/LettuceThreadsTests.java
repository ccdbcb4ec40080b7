/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import reactor.core.publisher.Mono;

/** On a real Redis: the application's code never runs on a thread of the client, and it counts. */
@WithRedis
class LettuceThreadsTests {

    private static final String CLIENT = "lettuce";

    @Test
    void neverRunsTheMethodOnAThreadOfTheClient(RedisServer redis) {
        Gated.with(Orders.class)
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, TaskExecutionAutoConfiguration.class))
                .withPropertyValues(
                        "ratelimit.store=redis",
                        "ratelimit.defaults.permits=20",
                        "ratelimit.key-prefix=threads:" + redis.port(),
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port())
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    for (int i = 0; i < 20; i++) {
                        assertThat(orders.mono().block(Duration.ofSeconds(30))).doesNotContain(CLIENT);
                        assertThat(orders.stage().get(30, TimeUnit.SECONDS)).doesNotContain(CLIENT);
                        assertThat(orders.value())
                                .isEqualTo(Thread.currentThread().getName());
                    }
                    assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::value);
                });
    }

    static class Orders {

        @RateLimited
        public Mono<String> mono() {
            return Mono.just(Thread.currentThread().getName());
        }

        @RateLimited
        public CompletableFuture<String> stage() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @RateLimited
        public String value() {
            return Thread.currentThread().getName();
        }
    }
}
