/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.aot.TellingSample;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processed ahead of time, the sample limits as it does otherwise, and is still switched off when it is started. */
@WithRedis
class AheadOfTimeTests {

    private static String classPath = "";

    @BeforeAll
    static void build(@TempDir Path directory) throws Exception {
        classPath = new AheadOfTime(directory).build();
    }

    @Test
    void limitsOnRedis(RedisServer redis) throws Exception {
        try (Instance sample = start("--spring.data.redis.port=" + redis.port(), "--ratelimit.store=redis")) {
            for (int i = 0; i < 5; i++) {
                assertThat(sample.http().post("/tenants/ahead/orders").statusCode())
                        .isEqualTo(200);
            }
            assertThat(sample.http().post("/tenants/ahead/orders").statusCode()).isEqualTo(429);
            assertThat(sample.http().get("/told").body())
                    .isEqualTo("proxy: true, decision: Allowed, store: PerInstanceStore");
        }
    }

    @Test
    void limitsOnWebFluxToo(@TempDir Path directory, RedisServer redis) throws Exception {
        String reactive = "--spring.profiles.active=reactive";
        String processed = new AheadOfTime(directory).build(reactive);
        try (Instance sample =
                startFrom(processed, reactive, "--spring.data.redis.port=" + redis.port(), "--ratelimit.store=redis")) {
            assertThat(sample.log()).contains("Netty started");
            for (int i = 0; i < 5; i++) {
                assertThat(sample.http().post("/tenants/reactive/orders").statusCode())
                        .isEqualTo(200);
            }
            assertThat(sample.http().post("/tenants/reactive/orders").statusCode())
                    .isEqualTo(429);
        }
    }

    @Test
    void isSwitchedOffWhenItIsStarted() throws Exception {
        try (ServerSocket redis = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Instance sample = start(
                        "--spring.data.redis.port=" + redis.getLocalPort(),
                        "--ratelimit.store=redis",
                        "--ratelimit.enabled=false")) {
            for (int i = 0; i < 10; i++) {
                assertThat(sample.http().post("/tenants/ahead/orders").statusCode())
                        .isEqualTo(200);
            }
            assertThat(sample.http().get("/told").body())
                    .isEqualTo("proxy: false, decision: Uncounted, store: UncountedRateLimitStore");
            redis.setSoTimeout(1);
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .as("nobody connects to Redis")
                    .isThrownBy(redis::accept);
        }
    }

    private static Instance start(String... arguments) throws Exception {
        return startFrom(classPath, arguments);
    }

    private static Instance startFrom(String processed, String... arguments) throws Exception {
        Instance sample = Instance.start(
                List.of("-cp", processed, "-Dspring.aot.enabled=true", TellingSample.class.getName()), arguments);
        assertThat(sample.log()).contains("Starting AOT-processed TellingSample");
        return sample;
    }
}
