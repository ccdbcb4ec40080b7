/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as a Redis to count on. */
@WithRedis
class RedisProbeTests {

    @Test
    void aRedisTellsItsVersion(RedisServer redis) throws IOException {
        assertThat(RedisProbe.versionAt("localhost", redis.port())).isEqualTo(redis.version());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    -NOAUTH Authentication required.            | NOAUTH Authentication required.
                    HTTP/1.1 400 Bad Request                    | what answers is no Redis
                    $5|what answers is no Redis
                    $22#redis_version:5.0.14.1                  | Redis 5.0.14.1 is older than 6.2
                    $20#redis_version:6.0.16                    | Redis 6.0.16 is older than 6.2
                    $99999999999                                | what answers is no Redis
                    """)
    void anythingElseIsNoneAndSaysWhy(String answer, String reason) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> answer(server, answer.replace("#", "\r\n") + "\r\n"));
            answering.start();

            assertThatIOException()
                    .isThrownBy(() -> RedisProbe.versionAt("localhost", server.getLocalPort()))
                    .withMessage(reason);
        }
    }

    private static void answer(ServerSocket server, String answer) {
        try (Socket caller = server.accept()) {
            byte[] question = caller.getInputStream().readNBytes("INFO server\r\n".length());
            assertThat(question).isNotEmpty();
            caller.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
