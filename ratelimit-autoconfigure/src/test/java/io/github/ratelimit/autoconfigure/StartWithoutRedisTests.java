/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testredis.RedisServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An application whose Redis is not there starts, and limits by its failure policies. */
@ExtendWith(OutputCaptureExtension.class)
class StartWithoutRedisTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
            .withPropertyValues(
                    "spring.application.name=without-redis",
                    "spring.data.redis.port=" + closedPort(),
                    "ratelimit.limits.counted.permits=1",
                    "ratelimit.limits.refused.permits=1",
                    "ratelimit.limits.refused.on-store-failure=deny",
                    "ratelimit.limits.own.permits=1",
                    "ratelimit.limits.own.store=local");

    @Test
    void countsInThisJvm() {
        application.run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            assertThat(limiter.tryAcquire("counted", "acme").passes()).isTrue();
            assertThat(limiter.tryAcquire("counted", "acme").passes()).isFalse();
        });
    }

    @Test
    void deniesWhereTheLimitSaysSo() {
        application.run(context -> assertThat(context.getBean(RateLimiter.class).tryAcquire("refused", "acme"))
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.reason()).isEqualTo(DenialReason.STORE_UNAVAILABLE)));
    }

    @Test
    void letsWhatTakesNothingPassAndTellsOfNoState() {
        application.run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            assertThat(limiter.tryAcquire("refused", "acme", 0).passes()).isTrue();
            assertThat(limiter.peek("refused", "acme"))
                    .isInstanceOfSatisfying(
                            Denied.class,
                            denied -> assertThat(denied.reason()).isEqualTo(DenialReason.STORE_UNAVAILABLE));
        });
    }

    @Test
    void needsNoRedisForALimitOfEachInstance() {
        application.run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            assertThat(limiter.tryAcquire("own", "acme").passes()).isTrue();
            assertThat(limiter.tryAcquire("own", "acme"))
                    .isInstanceOfSatisfying(
                            Denied.class, denied -> assertThat(denied.reason()).isEqualTo(DenialReason.PERMITS_SPENT));
        });
    }

    @Test
    void warnsOnceWithAddressAndCureAndNoPassword(CapturedOutput output) {
        application.withPropertyValues("spring.data.redis.password=secret").run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            for (int i = 0; i < 20; i++) {
                limiter.tryAcquire("counted", "acme");
            }
            assertThat(output.getAll().lines().filter(line -> line.contains("WARN")))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("Redis cannot be reached")
                    .contains("localhost:" + context.getEnvironment().getProperty("spring.data.redis.port"))
                    .contains("Check that it runs, and spring.data.redis.*")
                    .doesNotContain("secret");
        });
    }

    @Test
    void countsInRedisAsSoonAsItAppears(CapturedOutput output) {
        application.run(context -> {
            RateLimiter limiter = context.getBean(RateLimiter.class);
            int port = context.getEnvironment().getRequiredProperty("spring.data.redis.port", Integer.class);
            assertThat(limiter.tryAcquire("counted", "acme").passes()).isTrue();
            try (RedisServer redis = RedisServer.builder().port(port).start()) {
                Eventually.until("it is used", Duration.ofSeconds(20), () -> {
                    limiter.tryAcquire("counted", "acme");
                    return !List.of().equals(redis.command("KEYS", "*:counted:*"));
                });
                Eventually.until(
                        "it is told",
                        Duration.ofSeconds(20),
                        () -> output.getAll().contains("Redis answers again"));
            }
        });
    }

    private static int closedPort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
