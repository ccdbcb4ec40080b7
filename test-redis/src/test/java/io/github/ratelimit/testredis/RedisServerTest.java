/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a server of one's own does, whatever provider it comes from. */
class RedisServerTest {

    @Test
    void startsAnswersAndTakesSettings() {
        try (RedisServer server =
                RedisServer.builder().config("maxmemory", "10mb").start()) {
            assertEquals("PONG", server.command("PING"));
            assertEquals(List.of("maxmemory", "10485760"), server.command("CONFIG", "GET", "maxmemory"));
            assertTrue(server.isRunning());
            assertTrue(server.version().matches("\\d+\\.\\d+\\.\\d+"), server.version());
            assertEquals("redis://127.0.0.1:" + server.port(), server.uri());
            assertTrue(server.log().contains("Ready to accept connections"), server.log());
        }
    }

    @Test
    void twoServersStandSideBySide() {
        try (RedisServer one = RedisServer.start();
                RedisServer two = RedisServer.start()) {
            one.command("SET", "key", "one");
            assertNull(two.command("GET", "key"));
            assertNotEquals(one.port(), two.port());
            assertNotEquals(one.directory(), two.directory());
            one.flush();
            assertEquals(0L, one.command("DBSIZE"));
        }
    }

    @Test
    void aPasswordIsWantedAndKnown() {
        try (RedisServer server = RedisServer.builder().password("secret").start()) {
            assertEquals("PONG", server.command("PING"));
            assertEquals("secret", server.password());
            assertEquals("redis://:secret@127.0.0.1:" + server.port(), server.uri());
            try (RedisCommands stranger = new RedisCommands(server.host(), server.port(), Duration.ofSeconds(10))) {
                RedisReplyException error = assertThrows(RedisReplyException.class, () -> stranger.send("GET", "key"));
                assertTrue(String.valueOf(error.getMessage()).startsWith("NOAUTH"), error::toString);
            }
        }
    }

    @Test
    void aPausedServerIsSilentUntilResumed() {
        try (RedisServer server = RedisServer.start()) {
            server.command("SET", "key", "kept");
            server.pause();
            try (RedisCommands connection = server.connect(Duration.ofMillis(150))) {
                UncheckedIOException failure =
                        assertThrows(UncheckedIOException.class, () -> connection.send("GET", "key"));
                assertInstanceOf(SocketTimeoutException.class, failure.getCause());
            }
            assertTrue(server.isRunning());
            server.resume();
            assertEquals("kept", server.command("GET", "key"));
        }
    }

    @Test
    void aPausedServerCanBeClosed() {
        RedisServer server = RedisServer.start();
        server.pause();
        server.close();
        assertFalse(server.isRunning());
        assertTrue(FreePorts.isFree(server.port()));
    }

    @Test
    void aKilledServerComesBackEmptyOnTheSamePort() {
        try (RedisServer server = RedisServer.start()) {
            String runId = runId(server);
            int port = server.port();
            server.command("SET", "key", "lost");
            server.kill();
            assertFalse(server.isRunning());
            assertThrows(IllegalStateException.class, () -> server.command("PING"));
            server.restart();
            assertEquals(port, server.port());
            assertNotEquals(runId, runId(server));
            assertNull(server.command("GET", "key"));
        }
    }

    @Test
    void aRunningServerRestartsEmptyOnTheSamePort() {
        try (RedisServer server = RedisServer.start()) {
            String runId = runId(server);
            server.command("SET", "key", "lost");
            server.restart();
            assertNotEquals(runId, runId(server));
            assertNull(server.command("GET", "key"));
        }
    }

    @Test
    void aClosedServerStaysClosed() {
        RedisServer server = RedisServer.start();
        server.close();
        server.close();
        assertFalse(server.isRunning());
        assertThrows(IllegalStateException.class, () -> server.command("PING"));
        assertThrows(IllegalStateException.class, server::restart);
    }

    @Test
    void repliesOfEveryKindAreRead() {
        try (RedisServer server = RedisServer.start();
                RedisCommands connection = server.connect()) {
            assertEquals("OK", connection.send("SET", "key", "Grüße \r\n 🙂"));
            assertEquals("Grüße \r\n 🙂", connection.send("GET", "key"));
            assertEquals("", connection.send("ECHO", ""));
            assertNull(connection.send("GET", "none"));
            assertNull(connection.send("BLPOP", "none", "0.01"));
            assertEquals(-1L, connection.send("TTL", "key"));
            assertEquals(
                    Arrays.asList(1L, "a", null, List.of()),
                    connection.send("EVAL", "return {1, 'a', false, {}}", "0"));
            RedisReplyException error = assertThrows(RedisReplyException.class, () -> connection.send("INCR", "key"));
            assertTrue(String.valueOf(error.getMessage()).startsWith("ERR value is not an integer"), error::toString);
            assertEquals("PONG", connection.send("PING"), "an error leaves the connection usable");

            byte[] binary = {0, (byte) 0xff, '\r', '\n', (byte) 0x80};
            connection.sendBytes("SET".getBytes(UTF_8), binary, binary);
            assertArrayEquals(binary, (byte[]) connection.sendBytes("GET".getBytes(UTF_8), binary));
        }
    }

    @Test
    void badSettingsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> RedisServer.builder().config("--port", "1"));
        assertThrows(IllegalArgumentException.class, () -> RedisServer.builder().config("save", "--port"));
        assertThrows(IllegalArgumentException.class, () -> RedisServer.builder().port(0));
        assertThrows(IllegalArgumentException.class, () -> RedisServer.builder().port(65_536));
        IllegalStateException failure = assertThrows(
                IllegalStateException.class,
                () -> LocalRedis.builder().config("maxmemory", "plenty").start());
        assertTrue(String.valueOf(failure.getMessage()).contains("maxmemory"), failure::toString);
    }

    private static String runId(RedisServer server) {
        return RedisInfo.field(String.valueOf(server.command("INFO", "server")), "run_id");
    }
}
