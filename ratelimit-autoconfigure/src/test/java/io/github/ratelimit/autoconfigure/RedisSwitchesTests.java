/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** {@code ratelimit.redis.*} switches on and off what spares Redis work. */
@WithRedis
class RedisSwitchesTests {

    private final RedisServer redis;
    private final List<Decision> heard = new ArrayList<>();
    private final ApplicationContextRunner application;

    RedisSwitchesTests(RedisServer redis) {
        this.redis = redis;
        this.application = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
                .withBean(RateLimitListener.class, () -> heard::add)
                .withPropertyValues(
                        "spring.application.name=switches",
                        "ratelimit.store-timeout=30s",
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port(),
                        "ratelimit.limits.orders.permits=1",
                        "ratelimit.limits.orders.period=1h");
    }

    /** Denied once, of an hour; then Redis forgets everything, which only somebody notices who asks. */
    private Decision afterRedisForgot(RateLimiter limiter) {
        redis.flush();
        limiter.tryAcquire("orders", "alice");
        assertThat(limiter.tryAcquire("orders", "alice")).isInstanceOf(Decision.Denied.class);
        redis.flush();
        return limiter.tryAcquire("orders", "alice");
    }

    @Test
    void aDenialIsRepeatedAndHeard() {
        application.run(context -> {
            assertThat(afterRedisForgot(context.getBean(RateLimiter.class))).isInstanceOf(Decision.Denied.class);
            assertThat(heard)
                    .hasSize(3)
                    .filteredOn(decision -> !decision.passes())
                    .hasSize(2);
        });
    }

    @Test
    void aDenialIsNotRepeatedWhereThatIsSwitchedOff() {
        application
                .withPropertyValues("ratelimit.redis.denial-cache=false")
                .run(context -> assertThat(afterRedisForgot(context.getBean(RateLimiter.class)))
                        .isInstanceOf(Decision.Allowed.class));
    }

    /** How many trips a hundred calls take that come at once. */
    private long trips(RateLimiter limiter) {
        limiter.tryAcquire("orders", "bob");
        long before = scriptsRun();
        List<CompletableFuture<Decision>> calls = IntStream.range(0, 100)
                .mapToObj(i -> limiter.tryAcquireAsync("orders", "alice").toCompletableFuture())
                .toList();
        calls.forEach(CompletableFuture::join);
        return scriptsRun() - before;
    }

    private long scriptsRun() {
        try (RedisCommands commands = redis.connect()) {
            Matcher calls = Pattern.compile("cmdstat_evalsha:calls=(\\d+)")
                    .matcher(String.valueOf(commands.send("INFO", "commandstats")));
            return calls.find() ? Long.parseLong(calls.group(1)) : 0;
        }
    }

    @Test
    void callsOnOneKeyShareTrips() {
        application
                .withPropertyValues("ratelimit.redis.denial-cache=false")
                .run(context ->
                        assertThat(trips(context.getBean(RateLimiter.class))).isBetween(1L, 90L));
    }

    @Test
    void eachCallHasItsOwnTripWhereThatIsSwitchedOff() {
        application
                .withPropertyValues("ratelimit.redis.denial-cache=false", "ratelimit.redis.coalescing=false")
                .run(context ->
                        assertThat(trips(context.getBean(RateLimiter.class))).isGreaterThanOrEqualTo(100));
    }
}
