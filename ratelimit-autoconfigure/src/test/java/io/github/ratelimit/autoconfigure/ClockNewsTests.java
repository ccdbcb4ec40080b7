/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.store.StoreHealth;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A clock that jumps beneath counters in this JVM is counted, and warned of. */
@ExtendWith(OutputCaptureExtension.class)
class ClockNewsTests {

    /** Numbers with one mark: what the larger one leaves lies further ahead than the smaller one believes. */
    private static final Limit LARGER = limit("local", 10_000);

    private static final Limit SMALLER = limit("local", 30);

    private final Queue<StoreFailure> failures = new ConcurrentLinkedQueue<>();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
            .withBean("listening", StoreHealth.class, () -> failures::add)
            .withPropertyValues("spring.application.name=clock");

    private static Limit limit(String name, long burst) {
        return Kind.TOKEN_BUCKET
                .named(name)
                .permits(1)
                .period(Duration.ofSeconds(10))
                .burst(burst)
                .onStoreFailure(FailurePolicy.LOCAL)
                .build();
    }

    private static void jump(RateLimitStore store, Limit larger, Limit smaller, String key) {
        assertThat(acquire(store, larger, key, larger.burst()).passes()).isTrue();
        assertThat(acquire(store, smaller, key, smaller.burst()).passes())
                .as("unused")
                .isTrue();
    }

    private static Decision acquire(RateLimitStore store, Limit limit, String key, long cost) {
        return Stages.await(store.acquire(List.of(Charge.of(limit, key, cost))));
    }

    @Test
    void ofTheOnlyStore(CapturedOutput output) {
        application.withPropertyValues("ratelimit.store=local").run(context -> {
            RateLimitStore store = context.getBean(RateLimitStore.class);
            jump(store, LARGER, SMALLER, "one");
            jump(store, LARGER, SMALLER, "two");
            assertThat(failures).containsExactly(StoreFailure.CLOCK, StoreFailure.CLOCK);
            assertThat(warnings(output)).hasSize(1).first().asString().contains("this machine");
        });
    }

    /** Of limits per instance, and of all others while Redis is away. */
    @Test
    void besideRedisAndInItsPlace(CapturedOutput output) {
        application
                .withPropertyValues("spring.data.redis.port=1", "spring.data.redis.host=localhost")
                .run(context -> {
                    RateLimitStore store = context.getBean(RateLimitStore.class);
                    jump(
                            store,
                            LARGER.with().perInstance(true).build(),
                            SMALLER.with().perInstance(true).build(),
                            "one");
                    assertThat(failures).containsOnlyOnce(StoreFailure.CLOCK);
                    jump(store, LARGER, SMALLER, "two");
                    assertThat(failures.stream().filter(StoreFailure.CLOCK::equals))
                            .hasSize(2);
                    assertThat(warnings(output)).hasSize(1);
                });
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains("WARN") && line.contains("clock of"))
                .toList();
    }
}
