/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Spring runs {@code @Async} methods on a thread that waits for the future they return. */
@WithRedis
class AsyncMethodsTests {

    private final ApplicationContextRunner application;

    AsyncMethodsTests(RedisServer redis) {
        application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RedisAutoConfiguration.class,
                        TaskExecutionAutoConfiguration.class,
                        RateLimitAutoConfiguration.class))
                .withUserConfiguration(Asynchronous.class)
                .withPropertyValues(
                        "spring.application.name=" + UUID.randomUUID(),
                        "spring.task.execution.pool.core-size=2",
                        "ratelimit.defaults.permits=20",
                        "ratelimit.defaults.period=1h",
                        "ratelimit.store-timeout=20s",
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port());
    }

    /** All threads of the executor are in such a call: none is left to go on with what they wait for. */
    @ParameterizedTest
    @ValueSource(classes = {ByMethod.class, ByClass.class, ByInterface.class})
    void areAnsweredWhereEachThreadOfTheExecutorRunsOne(Class<? extends Reports> type) {
        application.withBean(type).run(context -> {
            Reports reports = context.getBean(Reports.class);
            List<CompletableFuture<String>> running =
                    IntStream.range(0, 20).mapToObj(i -> reports.make()).toList();
            for (CompletableFuture<String> each : running) {
                assertThat(each.get(30, TimeUnit.SECONDS)).startsWith("task-");
            }
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> reports.make().get(30, TimeUnit.SECONDS))
                    .withCauseInstanceOf(RateLimitExceededException.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchronous {}

    interface Reports {
        CompletableFuture<String> make();
    }

    static class ByMethod implements Reports {
        @Async
        @RateLimited
        @Override
        public CompletableFuture<String> make() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    @Async
    static class ByClass implements Reports {
        @RateLimited
        @Override
        public CompletableFuture<String> make() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    interface AsyncReports extends Reports {
        @Async
        @Override
        CompletableFuture<String> make();
    }

    static class ByInterface implements AsyncReports {
        @RateLimited
        @Override
        public CompletableFuture<String> make() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }
}
