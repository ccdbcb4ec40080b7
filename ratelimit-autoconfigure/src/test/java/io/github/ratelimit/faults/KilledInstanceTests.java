/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Who is killed while waiting keeps a departure that nobody takes: its time passes, and with it what it took. */
@Tag("faults")
@WithRedis
class KilledInstanceTests {

    /** As many as the bucket holds; one departs each second. */
    private static final int CALLERS = 10;

    @TempDir
    Path directory;

    @Test
    void whatItsCallersTookComesBackAtThePaceOfTheBucket(RedisServer redis) {
        redis.flush();
        application(redis).run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            Process instance = waitingInstance(redis);
            try {
                Eventually.until(
                        "all its callers wait",
                        Duration.ofSeconds(60),
                        () -> taken(limiter).compareTo(Duration.ofSeconds(CALLERS - 1)) > 0);
            } finally {
                instance.destroyForcibly().waitFor();
            }
            Duration afterKill = taken(limiter);
            long killed = System.nanoTime();
            assertThat(afterKill).isLessThanOrEqualTo(Duration.ofSeconds(CALLERS));
            Eventually.until(
                    "it is free again",
                    afterKill.plusSeconds(5),
                    () -> taken(limiter).isZero());
            assertThat(Duration.ofNanos(System.nanoTime() - killed))
                    .as("not before its time")
                    .isGreaterThan(afterKill.minusMillis(500));
        });
    }

    /** How long the bucket is not empty. */
    private static Duration taken(RateLimiter limiter) {
        Decision now = limiter.peek(WaitingInstance.LIMIT, WaitingInstance.KEY);
        return now instanceof Allowed allowed ? allowed.resetAfter() : ((Denied) now).resetAfter();
    }

    private static ApplicationContextRunner application(RedisServer redis) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
                .withPropertyValues(properties(redis).toArray(String[]::new));
    }

    private Process waitingInstance(RedisServer redis) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WaitingInstance.class.getName(),
                "--callers=" + CALLERS));
        properties(redis).forEach(property -> command.add("--" + property));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("instance.log").toFile())
                .start();
    }

    private static List<String> properties(RedisServer redis) {
        String limit = "ratelimit.limits." + WaitingInstance.LIMIT;
        return List.of(
                "spring.application.name=waiting",
                "spring.data.redis.host=" + redis.host(),
                "spring.data.redis.port=" + redis.port(),
                limit + ".on-store-failure=deny",
                limit + ".algorithm=leaky-bucket",
                limit + ".permits=1",
                limit + ".period=1s",
                limit + ".burst=" + CALLERS);
    }
}
