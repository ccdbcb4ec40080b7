/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.faults.Topology.Deployment;
import io.github.ratelimit.testredis.RedisServer;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Whatever way Redis is run, two instances of an application share each limit of each algorithm, exactly. */
@Tag("faults")
@ExtendWith(OutputCaptureExtension.class)
class TopologyTests {

    private static final List<String> ALGORITHMS =
            List.of("token-bucket", "leaky-bucket", "fixed-window", "sliding-window-log", "sliding-window-counter");
    private static final int PERMITS = 10;

    static Stream<Arguments> topologiesAndClients() {
        return Stream.of(Topology.values())
                .flatMap(topology -> Stream.of("lettuce", "jedis").map(client -> Arguments.of(topology, client)));
    }

    @ParameterizedTest
    @MethodSource("topologiesAndClients")
    void twoInstancesShareEachLimit(Topology topology, String client, CapturedOutput output) {
        try (Deployment redis = topology.start()) {
            application(redis, client)
                    .run(first -> application(redis, client)
                            .run(second -> share(first.getBean(RateLimiter.class), second.getBean(RateLimiter.class))));
            for (RedisServer replica : redis.replicas()) {
                assertThat(String.valueOf(replica.command("INFO", "commandstats")))
                        .as("never a read from a replica")
                        .doesNotContain("evalsha", "cmdstat_eval");
            }
            assertThat(output).doesNotContain("cannot be reached", "cannot be read", "already closed");
        }
    }

    private static void share(RateLimiter first, RateLimiter second) {
        for (String limit : ALGORITHMS) {
            for (String key : List.of("alice", "bob", "carol")) {
                int granted = 0;
                for (int i = 0; i < PERMITS + 2; i++) {
                    granted +=
                            (i % 2 == 0 ? first : second).tryAcquire(limit, key).passes() ? 1 : 0;
                }
                assertThat(granted).as("%s of %s", limit, key).isEqualTo(PERMITS);
            }
            first.refund(limit, "alice", 3);
            assertThat(second.tryAcquire(limit, "alice", 3).passes()).isTrue();
            first.reset(limit, "bob");
            assertThat(second.tryAcquire(limit, "bob", PERMITS).passes()).isTrue();
        }
    }

    private static ApplicationContextRunner application(Deployment redis, String client) {
        ApplicationContextRunner application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SslAutoConfiguration.class, RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
                .withPropertyValues(
                        "spring.application.name=topology",
                        "ratelimit.store-timeout=5s",
                        "ratelimit.redis.denial-cache=false", // what another instance gives back is seen at once
                        "spring.data.redis.client-type=" + client.toLowerCase(Locale.ROOT))
                .withPropertyValues(redis.properties().toArray(String[]::new));
        for (String algorithm : ALGORITHMS) {
            application = application.withPropertyValues(
                    "ratelimit.limits." + algorithm + ".algorithm=" + algorithm,
                    "ratelimit.limits." + algorithm + ".permits=" + PERMITS,
                    "ratelimit.limits." + algorithm + ".period=240h");
        }
        return application.withPropertyValues("ratelimit.limits.leaky-bucket.pace=false");
    }
}
