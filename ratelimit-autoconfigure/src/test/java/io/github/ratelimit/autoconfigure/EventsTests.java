/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.RateLimitDeniedEvent;
import io.github.ratelimit.RateLimitStoreAwayEvent;
import io.github.ratelimit.RateLimitStoreBackEvent;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** What an application hears of denials and outages. */
@ExtendWith(OutputCaptureExtension.class)
class EventsTests {

    private static final String LOG = "io.github.ratelimit.events";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
            .withBean(Heard.class)
            .withPropertyValues(
                    "spring.application.name=events",
                    "ratelimit.limits.orders.permits=1",
                    "ratelimit.limits.watched.permits=1",
                    "ratelimit.limits.watched.shadow=true");

    @Test
    void publishesADenial() {
        application.withPropertyValues("ratelimit.store=local").run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            limiter.tryAcquire("orders", "acme");
            limiter.tryAcquire("orders", "acme");

            assertThat(context.getBean(Heard.class).events)
                    .singleElement()
                    .isInstanceOfSatisfying(RateLimitDeniedEvent.class, event -> {
                        assertThat(event.denied().limit()).isEqualTo("orders");
                        assertThat(event.denied().reason()).isEqualTo(DenialReason.PERMITS_SPENT);
                        assertThat(event.toString()).doesNotContain("acme");
                    });
        });
    }

    @Test
    void publishesNoDenialOfALimitThatOnlyWatches() {
        application.withPropertyValues("ratelimit.store=local").run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            limiter.tryAcquire("watched", "acme");
            limiter.tryAcquire("watched", "acme");

            assertThat(context.getBean(Heard.class).events).isEmpty();
        });
    }

    @Test
    void publishesTheBeginningAndTheEndOfAnOutage() {
        try (RedisServer redis = RedisServer.start()) {
            application
                    .withPropertyValues(
                            "spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port())
                    .run(context -> {
                        RateLimiter limiter = context.getBean(RateLimiter.class);
                        List<Object> events = context.getBean(Heard.class).events;
                        limiter.tryAcquire("watched", "acme");
                        redis.pause();
                        for (int i = 0; i < 5; i++) {
                            limiter.tryAcquire("watched", "acme");
                        }
                        await().untilAsserted(() ->
                                assertThat(events).containsExactly(new RateLimitStoreAwayEvent("timeout")));

                        redis.resume();
                        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
                            limiter.tryAcquire("watched", "acme");
                            assertThat(events).hasSize(2).last().isInstanceOf(RateLimitStoreBackEvent.class);
                        });
                    });
        }
    }

    @Test
    void tellsOfAnOutageThatBeganBeforeAnybodyCouldListen() {
        try (RedisServer redis = RedisServer.start()) {
            redis.stop();
            application
                    .withPropertyValues(
                            "spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port())
                    .run(context -> await().untilAsserted(() -> assertThat(context.getBean(Heard.class).events)
                            .containsExactly(new RateLimitStoreAwayEvent("connection"))));
        }
    }

    @Test
    void keepsNobodyWaitingForWhoListensToAnOutage(CapturedOutput output) {
        SlowListener slow = new SlowListener();
        whilePaused(application.withBean(SlowListener.class, () -> slow), context -> {
            assertThat(output).contains("Redis does not answer in time");
            assertThat(context.getBean(Heard.class).events).isEmpty();
            slow.mayEnd.countDown();
            await().untilAsserted(() ->
                    assertThat(context.getBean(Heard.class).events).startsWith(new RateLimitStoreAwayEvent("timeout")));
        });
    }

    @Test
    void answersCallersThoughWhoListensToAnOutageFails(CapturedOutput output) {
        whilePaused(application.withBean(FailingListener.class), context -> {
            await().untilAsserted(() -> assertThat(output).contains("A listener to RateLimitStoreAwayEvent"));
            assertThat(output).contains("no listener should do this");
        });
    }

    /** Calls are answered before what is asserted is. */
    private static void whilePaused(
            ApplicationContextRunner application, ContextConsumer<ApplicationContext> asserted) {
        try (RedisServer redis = RedisServer.start()) {
            application
                    .withPropertyValues(
                            "ratelimit.on-store-failure=allow",
                            "spring.data.redis.host=" + redis.host(),
                            "spring.data.redis.port=" + redis.port())
                    .run(context -> {
                        RateLimiter limiter = context.getBean(RateLimiter.class);
                        limiter.tryAcquire("orders", "acme");
                        redis.pause();
                        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                            for (int i = 0; i < 10; i++) {
                                assertThat(limiter.tryAcquire("orders", "acme" + i))
                                        .isInstanceOf(Uncounted.class);
                            }
                        });
                        asserted.accept(context);
                    });
        }
    }

    @Test
    void logsDenialsForDebuggingWithoutTheKey(CapturedOutput output) {
        LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
        logging.setLogLevel(LOG, LogLevel.DEBUG);
        try {
            application.withPropertyValues("ratelimit.store=local").run(context -> {
                RateLimiter limiter = context.getBean(RateLimiter.class);
                limiter.tryAcquire("orders", "acme", 2);
                limiter.tryAcquire("watched", "acme");
                limiter.tryAcquire("watched", "acme");
            });
        } finally {
            logging.setLogLevel(LOG, null);
        }
        assertThat(output.toString().lines().filter(line -> line.contains("DenialLog")))
                .hasSize(2)
                .noneMatch(line -> line.contains("acme"))
                .anyMatch(line -> line.contains("Limit 'orders' denied: COST_EXCEEDS_CAPACITY"))
                .anyMatch(line -> line.contains("Limit 'watched' only watches, and would have denied: PERMITS_SPENT"));
    }

    /** Has the event before {@link Heard}, and keeps it until the test lets go. */
    static class SlowListener {

        final CountDownLatch mayEnd = new CountDownLatch(1);

        @Order(Ordered.HIGHEST_PRECEDENCE)
        @EventListener
        void away(RateLimitStoreAwayEvent event) throws InterruptedException {
            mayEnd.await();
        }
    }

    static class FailingListener {

        @Order(Ordered.HIGHEST_PRECEDENCE)
        @EventListener
        void away(RateLimitStoreAwayEvent event) {
            throw new AssertionError("no listener should do this");
        }
    }

    static class Heard {

        final List<Object> events = new CopyOnWriteArrayList<>();

        @EventListener
        void denied(RateLimitDeniedEvent event) {
            events.add(event);
        }

        @EventListener
        void away(RateLimitStoreAwayEvent event) {
            events.add(event);
        }

        @EventListener
        void back(RateLimitStoreBackEvent event) {
            events.add(event);
        }
    }
}
