/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** The sample counts on the Redis it finds, else on the bundled one, else in its JVM; and says which. */
@WithRedis
class RedisFinderTests {

    @Test
    void countsOnTheRedisItFinds(RedisServer redis) throws Exception {
        try (Instance sample = Instance.start(Instance.ofClassPath(), "--spring.data.redis.port=" + redis.port())) {
            assertThat(sample.log())
                    .contains("Counting on the Redis " + redis.version() + " found at localhost:" + redis.port());
            assertThat(sample.http().post("/tenants/found/orders").statusCode()).isEqualTo(200);
            assertThat(String.valueOf(redis.command("KEYS", "ratelimit:sample:*")))
                    .contains("{found}");
        }
    }

    @Test
    void elseStartsTheBundledRedis() throws Exception {
        int nobody = freePort();
        try (Instance sample = Instance.start(Instance.ofClassPath(), "--spring.data.redis.port=" + nobody)) {
            assertThat(sample.log())
                    .contains("No Redis to count on at localhost:" + nobody)
                    .containsPattern("Counting on the bundled Redis 6\\.2\\.\\d+ at 127\\.0\\.0\\.1:\\d+");
            countsUpToFive(sample);
        }
    }

    @Test
    void elseCountsInItsJvm() throws Exception {
        int nobody = freePort();
        try (Instance sample =
                Instance.start(Instance.ofClassPath("-Dos.name=Plan 9"), "--spring.data.redis.port=" + nobody)) {
            assertThat(sample.log())
                    .contains("No bundled one either (none for this machine:")
                    .contains("Counting in this JVM alone");
            countsUpToFive(sample);
        }
    }

    private static void countsUpToFive(Instance sample) throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(sample.http().post("/tenants/acme/orders").statusCode()).isEqualTo(200);
        }
        assertThat(sample.http().post("/tenants/acme/orders").statusCode()).isEqualTo(429);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
