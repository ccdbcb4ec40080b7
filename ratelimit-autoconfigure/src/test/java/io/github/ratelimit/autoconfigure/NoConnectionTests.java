/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.ReactiveRateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.local.LocalRateLimitStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Who needs no Redis makes no connection to one, though the application has a way to it. */
class NoConnectionTests {

    private final ListeningPort redis = new ListeningPort();
    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    private ApplicationContextRunner application = new ApplicationContextRunner();

    @BeforeEach
    void wayToRedis() {
        application = application
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
                .withBean(Orders.class)
                .withPropertyValues(
                        "spring.application.name=no-connection",
                        "spring.data.redis.host=localhost",
                        "spring.data.redis.port=" + redis.port(),
                        "ratelimit.limits.orders.permits=2");
    }

    @AfterEach
    void nobodyListens() {
        redis.close();
    }

    @Test
    void switchedOff() {
        application.withPropertyValues("ratelimit.enabled=false").run(this::isUsedWithoutConnecting);
    }

    @Test
    void countingInThisJvm() {
        application.withPropertyValues("ratelimit.store=local").run(this::isUsedWithoutConnecting);
    }

    @Test
    void countingInAStoreOfTheApplication() {
        application
                .withBean(LocalRateLimitStore.class, () -> new LocalRateLimitStore(100))
                .run(this::isUsedWithoutConnecting);
    }

    @Test
    void onRedisThereIsAConnection() {
        application.run(context -> {
            assertThat(redis.isConnectedTo()).isTrue();
            assertThat(namesOfNewThreads()).contains("ratelimit-overrides");
        });
    }

    private void isUsedWithoutConnecting(ApplicationContext context) {
        context.getBean(Orders.class).create("acme");
        context.getBean(RateLimiter.class).acquire("orders", "acme", 1, Duration.ofMillis(1));
        context.getBean(ReactiveRateLimiter.class).peek("orders", "acme").block();
        context.getBean(RateLimitStore.class);
        assertThat(redis.connections()).isZero();
        assertThat(namesOfNewThreads()).doesNotContain("ratelimit-connect", "ratelimit-overrides");
    }

    private List<String> namesOfNewThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .toList();
    }

    static class Orders {
        @RateLimited(name = "orders", key = "#tenant")
        public void create(String tenant) {}
    }
}
