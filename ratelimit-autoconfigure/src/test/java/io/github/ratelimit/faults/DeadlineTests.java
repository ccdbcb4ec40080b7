/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.ReactiveRateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** However a caller asks, and whenever Redis falls silent, no call waits longer than {@code store-timeout}. */
@WithRedis
class DeadlineTests {

    private static final String LIMIT = "patient";
    private static final Duration TIMEOUT = Duration.ofMillis(250);

    /** Not every call on a busy machine is that late. */
    private static final Duration NEARLY_TWICE = TIMEOUT.multipliedBy(9).dividedBy(5);

    /** What a busy machine adds. */
    private static final Duration BUSY = Duration.ofMillis(1_500);

    private final RedisServer redis;

    DeadlineTests(RedisServer redis) {
        this.redis = redis;
    }

    /** How a caller asks. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    enum Way {
        BLOCKING(context -> context.getBean(RateLimiter.class).tryAcquire(LIMIT, "acme")),
        WAITING(context -> context.getBean(RateLimiter.class).acquire(LIMIT, "acme", 1, Duration.ofMinutes(1))),
        ASYNC(context -> Stages.await(context.getBean(RateLimiter.class).tryAcquireAsync(LIMIT, "acme"))),
        REACTIVE(context -> Objects.requireNonNull(context.getBean(ReactiveRateLimiter.class)
                .tryAcquire(LIMIT, "acme")
                .block()));

        private final Function<ApplicationContext, Decision> ask;

        Way(Function<ApplicationContext, Decision> ask) {
            this.ask = ask;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BLOCKING, lettuce", "WAITING, lettuce", "ASYNC, lettuce", "REACTIVE, lettuce",
        "BLOCKING, jedis", "WAITING, jedis", "ASYNC, jedis", "REACTIVE, jedis"
    })
    void noCallWaitsLonger(Way way, String client) {
        try (TcpProxy proxy = new TcpProxy(redis.port())) {
            application(proxy, client).run(context -> {
                assertThat(way.ask.apply(context)).isInstanceOf(Allowed.class);
                proxy.hold();
                assertThat(waitsInTime(way, context)).isPositive();
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BLOCKING, lettuce", "WAITING, lettuce", "ASYNC, lettuce", "REACTIVE, lettuce",
        "BLOCKING, jedis", "WAITING, jedis", "ASYNC, jedis", "REACTIVE, jedis"
    })
    void norForTheFirstConnection(Way way, String client) {
        try (TcpProxy proxy = new TcpProxy(redis.port())) {
            proxy.hold();
            application(proxy, client)
                    .run(context -> assertThat(waitsInTime(way, context)).isLessThan(4));
        }
    }

    /** Returns how many of a few calls waited for an answer. */
    private static int waitsInTime(Way way, ApplicationContext context) {
        List<Duration> took = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            long began = System.nanoTime();
            assertThat(way.ask.apply(context)).isInstanceOf(Uncounted.class);
            took.add(Duration.ofNanos(System.nanoTime() - began));
        }
        assertThat(took).allMatch(one -> one.compareTo(TIMEOUT.plus(BUSY)) < 0);
        List<Duration> waits = took.stream()
                .filter(one -> one.compareTo(TIMEOUT.dividedBy(2)) > 0)
                .toList();
        if (waits.size() > 1) {
            assertThat(waits).anyMatch(one -> one.compareTo(NEARLY_TWICE) < 0);
        }
        return waits.size();
    }

    private static ApplicationContextRunner application(TcpProxy proxy, String client) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
                .withPropertyValues(
                        "spring.application.name=deadline",
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + proxy.port(),
                        "spring.data.redis.client-type=" + client,
                        "ratelimit.store-timeout=" + TIMEOUT.toMillis() + "ms",
                        "ratelimit.limits.patient.permits=1000",
                        "ratelimit.limits.patient.on-store-failure=allow");
    }
}
