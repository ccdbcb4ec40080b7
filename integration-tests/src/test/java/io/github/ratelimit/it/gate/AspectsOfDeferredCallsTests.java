/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.AfterReturning;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Aspects behind the gate run though the call goes on when its proxy has returned, or on another thread. */
@WithRedis
class AspectsOfDeferredCallsTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ApplicationContextRunner application = Gated.with(Orders.class, Notes.class)
            .withPropertyValues("ratelimit.limits.slow.permits=1", "ratelimit.limits.slow.period=300ms");

    @Test
    void runForEachSubscriptionOfAMono() {
        application.run(context -> {
            Mono<String> mono = context.getBean(Orders.class).mono("acme");
            assertThat(mono.block(PATIENCE)).isEqualTo("acme");
            assertThat(mono.block(PATIENCE)).isEqualTo("acme");
            Gated.assertDenied(() -> mono.block(PATIENCE));
            assertTold(context.getBean(Notes.class), "mono", 2);
        });
    }

    @Test
    void runForEachSubscriptionOfAFlux() {
        application.run(context -> {
            Flux<String> flux = context.getBean(Orders.class).flux("acme");
            assertThat(flux.collectList().block(PATIENCE)).containsExactly("acme", "again");
            assertThat(flux.collectList().block(PATIENCE)).containsExactly("acme", "again");
            Gated.assertDenied(() -> flux.collectList().block(PATIENCE));
            assertTold(context.getBean(Notes.class), "flux", 2);
        });
    }

    @Test
    void runForAStageThatWaited() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.stage("acme").join();
            CompletableFuture<String> waiting = orders.stage("acme");
            assertThat(waiting).isNotDone();
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("acme");
            assertTold(context.getBean(Notes.class), "stage", 2);
        });
    }

    @Test
    void runForAStageWhoseAnswerCameFromRedis(RedisServer redis) {
        application
                .withBean(
                        LettuceConnectionFactory.class, () -> new LettuceConnectionFactory(redis.host(), redis.port()))
                .withPropertyValues(
                        "ratelimit.store=redis", "ratelimit.store-timeout=5s", "ratelimit.on-store-failure=deny")
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    RateLimiter limiter = context.getBean(RateLimiter.class);
                    await().atMost(PATIENCE)
                            .until(() -> limiter.tryAcquire("slow", "connected").passes());
                    redis.command("CLIENT", "PAUSE", "20000", "WRITE");
                    CompletableFuture<String> asked = orders.stage("acme");
                    assertThat(asked).isNotDone();
                    redis.command("CLIENT", "UNPAUSE");
                    assertThat(asked.get(30, TimeUnit.SECONDS)).isEqualTo("acme");
                    assertTold(context.getBean(Notes.class), "stage", 1);
                });
    }

    private static void assertTold(Notes notes, String method, int times) {
        assertThat(notes.told).filteredOn(("before " + method)::equals).hasSize(times);
        assertThat(notes.told)
                .filteredOn(("around " + method + " of acme")::equals)
                .hasSize(times);
        assertThat(notes.told).filteredOn(("returned " + method)::equals).hasSize(times);
    }

    /** Limited methods of deferred types. */
    public static class Orders {

        @RateLimited
        public Mono<String> mono(String tenant) {
            return Mono.just(tenant);
        }

        @RateLimited
        public Flux<String> flux(String tenant) {
            return Flux.just(tenant, "again");
        }

        @RateLimited(name = "slow", maxWait = "10s")
        public CompletableFuture<String> stage(String tenant) {
            return CompletableFuture.completedFuture(tenant);
        }
    }

    @Aspect
    static class Notes {

        private final List<String> told = new CopyOnWriteArrayList<>();

        @Before("execution(* *..AspectsOfDeferredCallsTests.Orders.*(..))")
        void before(JoinPoint call) {
            told.add("before " + call.getSignature().getName());
        }

        @Around("execution(* *..AspectsOfDeferredCallsTests.Orders.*(..)) && args(tenant)")
        Object around(ProceedingJoinPoint call, String tenant) throws Throwable {
            told.add("around " + call.getSignature().getName() + " of " + tenant);
            return call.proceed();
        }

        @AfterReturning("execution(* *..AspectsOfDeferredCallsTests.Orders.*(..))")
        void returned(JoinPoint call) {
            told.add("returned " + call.getSignature().getName());
        }
    }
}
