/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitStoreAwayEvent;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterClosedException;
import io.github.ratelimit.faults.TcpProxy;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.DefaultLifecycleProcessor;

/** How an application that limits comes to its end. */
@WithRedis
@ExtendWith(OutputCaptureExtension.class)
class ShutdownTests {

    private static final Duration SOON = Duration.ofSeconds(5);

    private static ApplicationContextRunner application(String... redis) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
                .withPropertyValues("spring.application.name=shutdown", "ratelimit.limits.slow.permits=1")
                .withPropertyValues("ratelimit.limits.slow.period=1h")
                .withPropertyValues(redis);
    }

    private static ApplicationContextRunner application(RedisServer redis) {
        redis.flush();
        return application("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port());
    }

    /** What was warned of, but for the search for a place where the test's own Redis can run. */
    private static List<String> complaints(CapturedOutput output) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains("WARN") || line.contains("ERROR"))
                .filter(line -> !line.contains("docker-probe")) // its thread: names of loggers may be shortened
                .toList();
    }

    @Test
    void isSilent(RedisServer redis, CapturedOutput output) {
        application(redis)
                .run(context -> assertThat(context.getBean(RateLimiter.class).tryAcquire("slow", "acme"))
                        .isInstanceOf(Decision.Allowed.class));
        assertThat(complaints(output)).isEmpty();
    }

    @Test
    void isSilentBesideACluster(RedisCluster redis, CapturedOutput output) {
        redis.flush();
        application("spring.data.redis.cluster.nodes=" + redis.addresses()).run(context -> {
            for (int i = 0; i < 50; i++) {
                assertThat(context.getBean(RateLimiter.class).tryAcquire("slow", "tenant" + i))
                        .isInstanceOf(Decision.Allowed.class);
            }
        });
        assertThat(complaints(output)).isEmpty();
    }

    @Test
    void releasesWhoWaitsBeforeAnythingElseIsStopped(RedisServer redis) {
        CompletableFuture<Void> served = new CompletableFuture<>();
        application(redis)
                .withBean(GracefulServer.class, () -> new GracefulServer(served))
                .withBean("lifecycleProcessor", DefaultLifecycleProcessor.class, () -> {
                    DefaultLifecycleProcessor lifecycle = new DefaultLifecycleProcessor();
                    lifecycle.setTimeoutPerShutdownPhase(SOON.toMillis());
                    return lifecycle;
                })
                .run(context -> {
                    RateLimiter limiter = context.getBean(RateLimiter.class);
                    limiter.tryAcquire("slow", "acme");
                    CompletableFuture<Decision> waiting = new CompletableFuture<>();
                    Thread caller = new Thread(() -> waiting.completeAsync(
                            () -> limiter.acquire("slow", "acme", 1, Duration.ofHours(1)), Runnable::run));
                    caller.start();
                    var unused = waiting.whenComplete((decision, failure) -> served.complete(null));
                    Eventually.until("somebody waits", SOON, () -> caller.getState() == Thread.State.TIMED_WAITING);
                    long began = System.nanoTime();
                    context.close();
                    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON.dividedBy(2));
                    assertThatExceptionOfType(ExecutionException.class)
                            .isThrownBy(() -> waiting.get(SOON.toMillis(), TimeUnit.MILLISECONDS))
                            .withCauseInstanceOf(RateLimiterClosedException.class);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void isNotDelayedByARedisThatDoesNotAnswer(String client, RedisServer redis) {
        redis.flush();
        try (TcpProxy way = new TcpProxy(redis.port())) {
            application("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + way.port())
                    .withPropertyValues(
                            "spring.data.redis.client-type=" + client,
                            "ratelimit.store-timeout=30s",
                            "ratelimit.limits.slow.on-store-failure=allow")
                    .run(context -> {
                        RateLimiter limiter = context.getBean(RateLimiter.class);
                        assertThat(limiter.tryAcquire("slow", "acme")).isInstanceOf(Decision.Allowed.class);
                        way.hold();
                        CompletableFuture<Decision> waiting =
                                limiter.tryAcquireAsync("slow", "acme").toCompletableFuture();
                        long began = System.nanoTime();
                        context.close();
                        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
                        assertThat(waiting.get(SOON.toMillis(), TimeUnit.MILLISECONDS))
                                .isInstanceOf(Decision.Uncounted.class);
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void whatIsUnderWayIsNoOutage(String client, RedisServer redis, CapturedOutput output) {
        redis.flush();
        Outages outages = new Outages(new CopyOnWriteArrayList<>());
        try (TcpProxy way = new TcpProxy(redis.port())) {
            application("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + way.port())
                    .withBean(Outages.class, () -> outages)
                    .withPropertyValues(
                            "spring.data.redis.client-type=" + client,
                            "ratelimit.store-timeout=30s",
                            "ratelimit.limits.slow.on-store-failure=allow")
                    .run(context -> {
                        RateLimiter limiter = context.getBean(RateLimiter.class);
                        assertThat(limiter.tryAcquire("slow", "acme")).isInstanceOf(Decision.Allowed.class);
                        way.hold();
                        List<CompletableFuture<Decision>> waiting = IntStream.range(0, 10)
                                .mapToObj(i -> limiter.tryAcquireAsync("slow", "tenant" + i)
                                        .toCompletableFuture())
                                .toList();
                        context.stop();
                        context.close();
                        for (CompletableFuture<Decision> call : waiting) {
                            assertThat(call.get(SOON.toMillis(), TimeUnit.MILLISECONDS))
                                    .isInstanceOf(Decision.Uncounted.class);
                        }
                    });
        }
        assertThat(complaints(output)).isEmpty();
        assertThat(outages.heard).isEmpty();
    }

    @Test
    void stoppedAndStartedAgainItLimitsAndWaitsAsBefore(RedisServer redis, CapturedOutput output) {
        application(redis)
                .withPropertyValues("ratelimit.limits.quick.permits=1", "ratelimit.limits.quick.period=200ms")
                .run(context -> {
                    RateLimiter limiter = context.getBean(RateLimiter.class);
                    context.stop();
                    context.start();
                    for (int i = 0; i < 3; i++) {
                        assertThat(limiter.acquire("quick", "acme", 1, Duration.ofSeconds(5))
                                        .passes())
                                .isTrue();
                    }
                    assertThat(limiter.tryAcquire("slow", "acme").passes()).isTrue();
                    assertThat(limiter.tryAcquire("slow", "acme").passes()).isFalse();
                });
        assertThat(complaints(output)).isEmpty();
    }

    /** Who hears of outages. */
    record Outages(List<RateLimitStoreAwayEvent> heard) {

        @EventListener
        void away(RateLimitStoreAwayEvent event) {
            heard.add(event);
        }
    }

    /** Stops as a web server does, in its phase: when everybody it serves is through. */
    private record GracefulServer(CompletableFuture<Void> served) implements SmartLifecycle {

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public void stop(Runnable callback) {
            var unused = served.thenRun(callback);
        }

        @Override
        public boolean isRunning() {
            return true;
        }

        @Override
        public int getPhase() {
            return SmartLifecycle.DEFAULT_PHASE - 1024;
        }
    }
}
