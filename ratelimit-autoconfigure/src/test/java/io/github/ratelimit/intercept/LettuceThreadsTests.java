/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import reactor.core.publisher.Mono;

/** On a real Redis: the application's code never runs on a thread of the client, and it counts. */
@WithRedis
class LettuceThreadsTests {

    private static final String CLIENT = "lettuce";
    private static final AtomicInteger RUNS = new AtomicInteger();

    @Test
    void neverRunsTheMethodOnAThreadOfTheClient(RedisServer redis) {
        application(redis).withPropertyValues("ratelimit.defaults.permits=20").run(context -> {
            Orders orders = context.getBean(Orders.class);
            for (int i = 0; i < 20; i++) {
                assertThat(orders.mono().block(Duration.ofSeconds(30))).doesNotContain(CLIENT);
                assertThat(orders.stage().get(30, TimeUnit.SECONDS)).doesNotContain(CLIENT);
                assertThat(orders.value()).isEqualTo(Thread.currentThread().getName());
            }
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::value);
        });
    }

    @Test
    void neverWaitsOnAThreadOfTheClientForAPlaceOnTheExecutor(RedisServer redis) {
        application(redis)
                .withUserConfiguration(OneAtATime.class)
                .withPropertyValues("ratelimit.on-store-failure=deny")
                .run(context -> {
                    awaitConnected(context);
                    Orders orders = context.getBean(Orders.class);
                    CompletableFuture<String> holding = answeredLate(redis, orders::holding);
                    orders.awaitHeld();
                    CompletableFuture<String> next = answeredLate(redis, orders::stage);
                    for (int i = 0; i < 5; i++) {
                        assertThat(orders.value())
                                .isEqualTo(Thread.currentThread().getName());
                    }
                    assertThat(next).isNotDone();
                    orders.letGo();
                    assertThat(holding.get(30, TimeUnit.SECONDS)).startsWith("one-");
                    assertThat(next.get(30, TimeUnit.SECONDS)).startsWith("one-");
                });
    }

    @Test
    void neverRunsTheMethodOnAThreadOfTheClientWhereAFullExecutorLeavesItToTheCaller(RedisServer redis) {
        application(redis)
                .withUserConfiguration(LeftToTheCaller.class)
                .withPropertyValues("ratelimit.on-store-failure=deny")
                .run(context -> {
                    awaitConnected(context);
                    Orders orders = context.getBean(Orders.class);
                    CompletableFuture<String> holding = answeredLate(redis, orders::holding);
                    orders.awaitHeld();
                    for (int i = 0; i < 3; i++) {
                        assertThat(answeredLate(redis, orders::stage).get(30, TimeUnit.SECONDS))
                                .doesNotContain(CLIENT)
                                .doesNotStartWith("ratelimit");
                    }
                    orders.letGo();
                    assertThat(holding.get(30, TimeUnit.SECONDS)).startsWith("full-");
                });
    }

    @Test
    void neverRunsTheMethodOnAThreadOfTheClientWhereTheExecutorIsTheCallersThread(RedisServer redis) {
        application(redis)
                .withUserConfiguration(TheCallersThread.class)
                .withPropertyValues("ratelimit.on-store-failure=deny")
                .run(context -> {
                    awaitConnected(context);
                    Orders orders = context.getBean(Orders.class);
                    for (int i = 0; i < 3; i++) {
                        assertThat(answeredLate(redis, orders::stage).get(30, TimeUnit.SECONDS))
                                .doesNotContain(CLIENT)
                                .doesNotStartWith("ratelimit");
                    }
                });
    }

    @Test
    void answersWhereTheExecutorFailsToTakeTheTask(RedisServer redis) {
        application(redis)
                .withUserConfiguration(DecoratedByTheRequest.class)
                .withPropertyValues("ratelimit.on-store-failure=deny")
                .run(context -> {
                    awaitConnected(context);
                    Orders orders = context.getBean(Orders.class);
                    for (int i = 0; i < 3; i++) {
                        assertThat(answeredLate(redis, orders::stage).get(10, TimeUnit.SECONDS))
                                .doesNotContain(CLIENT)
                                .doesNotStartWith("ratelimit");
                    }
                });
    }

    private static void awaitConnected(ApplicationContext context) {
        RateLimiter limiter = context.getBean(RateLimiter.class);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> limiter.tryAcquire("orders-value", "connected").passes());
    }

    /** A call whose answer comes when the caller has gone on, so it is the client's thread that has it. */
    private static CompletableFuture<String> answeredLate(RedisServer redis, Supplier<CompletableFuture<String>> call) {
        redis.command("CLIENT", "PAUSE", "20000", "WRITE");
        CompletableFuture<String> asked = call.get();
        assertThat(asked).isNotDone();
        redis.command("CLIENT", "UNPAUSE");
        return asked;
    }

    private static ApplicationContextRunner application(RedisServer redis) {
        return Gated.with(Orders.class)
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, TaskExecutionAutoConfiguration.class))
                .withPropertyValues(
                        "ratelimit.store=redis",
                        "ratelimit.store-timeout=5s",
                        "ratelimit.defaults.permits=100",
                        "ratelimit.key-prefix=threads:" + redis.port() + ":" + RUNS.incrementAndGet(),
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port());
    }

    /** An executor that lets who hands it a task wait until there is a place. */
    @Configuration(proxyBeanMethods = false)
    static class OneAtATime {
        @Bean
        SimpleAsyncTaskExecutor applicationTaskExecutor() {
            SimpleAsyncTaskExecutor one = new SimpleAsyncTaskExecutor("one-");
            one.setConcurrencyLimit(1);
            return one;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LeftToTheCaller {
        @Bean
        ThreadPoolTaskExecutor applicationTaskExecutor() {
            ThreadPoolTaskExecutor full = new ThreadPoolTaskExecutor();
            full.setThreadNamePrefix("full-");
            full.setCorePoolSize(1);
            full.setMaxPoolSize(1);
            full.setQueueCapacity(0);
            full.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
            return full;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TheCallersThread {
        @Bean
        SyncTaskExecutor applicationTaskExecutor() {
            return new SyncTaskExecutor();
        }
    }

    /** As found in many applications: what decorates a task wants the request of the thread that hands it over. */
    @Configuration(proxyBeanMethods = false)
    static class DecoratedByTheRequest {
        @Bean
        ThreadPoolTaskExecutor applicationTaskExecutor() {
            ThreadPoolTaskExecutor decorated = new ThreadPoolTaskExecutor();
            decorated.setTaskDecorator(task -> {
                RequestAttributes request = RequestContextHolder.currentRequestAttributes();
                return () -> {
                    RequestContextHolder.setRequestAttributes(request);
                    task.run();
                };
            });
            return decorated;
        }
    }

    static class Orders {

        private final CountDownLatch held = new CountDownLatch(1);
        private final CountDownLatch free = new CountDownLatch(1);

        @RateLimited
        public CompletableFuture<String> holding() {
            held.countDown();
            pass(free);
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        public void awaitHeld() {
            pass(held);
        }

        public void letGo() {
            free.countDown();
        }

        private static void pass(CountDownLatch latch) {
            try {
                assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

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
