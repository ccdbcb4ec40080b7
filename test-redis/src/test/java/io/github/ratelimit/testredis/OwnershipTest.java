/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on the port is ours, or it is left alone; and ours leaves nothing behind. */
class OwnershipTest {

    @Test
    void theServerThatAnswersIsTheProcessThatWasStarted() {
        try (RedisServer server = LocalRedis.start()) {
            String info = String.valueOf(server.command("INFO", "server"));
            assertEquals(Long.toString(server.pid()), RedisInfo.field(info, "process_id"));
            assertEquals(Integer.toString(server.port()), RedisInfo.field(info, "tcp_port"));
            assertEquals(List.of("dir", server.directory().toString()), server.command("CONFIG", "GET", "dir"));
            assertTrue(Files.exists(server.directory().resolve("redis.log")));
        }
    }

    @Test
    void listensOnLoopbackOnly() {
        try (RedisServer server = LocalRedis.start()) {
            assertEquals(List.of("bind", "127.0.0.1"), server.command("CONFIG", "GET", "bind"));
        }
    }

    @Test
    void aClosedServerLeavesNoProcessAndNoDirectory() {
        RedisServer server = LocalRedis.start();
        long pid = server.pid();
        assertTrue(LocalRedis.runs(pid));
        server.close();
        assertFalse(LocalRedis.runs(pid));
        assertFalse(Files.exists(server.directory()));
        assertTrue(FreePorts.isFree(server.port()));
    }

    @Test
    void aStoppedServerKeepsItsDirectoryUntilClosed() {
        try (RedisServer server = LocalRedis.start()) {
            long pid = server.pid();
            server.stop();
            assertFalse(LocalRedis.runs(pid));
            assertTrue(Files.exists(server.directory()));
            assertTrue(server.log().contains("bye bye"), server.log());
        }
    }

    @Test
    void aForeignRedisOnTheWantedPortIsRefusedAndUnharmed() {
        try (RedisServer foreign = LocalRedis.start()) {
            foreign.command("SET", "key", "theirs");
            RedisServerBuilder builder = LocalRedis.builder().port(foreign.port());
            IllegalStateException refusal = assertThrows(IllegalStateException.class, builder::start);
            assertTrue(
                    String.valueOf(refusal.getMessage()).contains("Port " + foreign.port() + " is taken"),
                    refusal::toString);
            assertEquals("theirs", foreign.command("GET", "key"));
        }
    }

    @Test
    void aForeignRedisOnAFreeLookingPortIsAvoided() {
        try (RedisServer foreign = LocalRedis.start()) {
            int free = FreePorts.reserve(false);
            Iterator<Integer> ports = List.of(foreign.port(), free).iterator();
            try (RedisServer server = LocalRedis.builder().ports(ports::next).start()) {
                assertEquals(free, server.port());
                server.command("SET", "key", "ours");
                assertEquals(0L, foreign.command("DBSIZE"));
            }
        }
    }

    @Test
    void aSilentProgramOnAFreeLookingPortIsAvoided() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            int free = FreePorts.reserve(false);
            Iterator<Integer> ports = List.of(silent.getLocalPort(), free).iterator();
            try (RedisServer server = LocalRedis.builder().ports(ports::next).start()) {
                assertEquals(free, server.port());
            }
        }
    }

    @Test
    void aForeignRedisIsNotTakenForOursWhileOurProcessRuns(@TempDir Path directory) throws IOException {
        Path sleeper = script(directory, "exec sleep 60");
        try (RedisServer foreign = LocalRedis.start()) {
            RedisServerBuilder builder = RedisServer.builder()
                    .executable(sleeper)
                    .port(foreign.port())
                    .startTime(Duration.ofMillis(200));
            IllegalStateException refusal = assertThrows(IllegalStateException.class, builder::start);
            assertTrue(String.valueOf(refusal.getMessage()).contains("another Redis answers there"), refusal::toString);
        }
    }

    @Test
    void aRedisWithoutOurTokenIsRefused(@TempDir Path directory) throws IOException {
        Path renaming = script(directory, "exec " + LocalRedis.source().command() + " \"$@\" --dbfilename other.rdb");
        RedisServerBuilder builder = RedisServer.builder().executable(renaming).startTime(Duration.ofMillis(500));
        IllegalStateException refusal = assertThrows(IllegalStateException.class, builder::start);
        assertTrue(String.valueOf(refusal.getMessage()).contains("not started with our token"), refusal::toString);
    }

    @Test
    void aForeignRedisIsNotTakenForOursWhileOursIsDown() {
        try (RedisServer server = LocalRedis.start()) {
            server.stop();
            try (RedisServer foreign = LocalRedis.builder().port(server.port()).start()) {
                foreign.command("SET", "key", "theirs");
                assertThrows(IllegalStateException.class, server::flush);
                assertThrows(IllegalStateException.class, server::restart);
                assertThrows(IllegalStateException.class, server::flush);
                assertEquals("theirs", foreign.command("GET", "key"));
            }
            server.restart();
            assertEquals(0L, server.command("DBSIZE"));
        }
    }

    @Test
    void aProgramThatFailsIsQuoted(@TempDir Path directory) throws IOException {
        Path failing = script(directory, "echo no such library >&2; exit 3");
        RedisServerBuilder builder = RedisServer.builder().executable(failing);
        IllegalStateException failure = assertThrows(IllegalStateException.class, builder::start);
        assertTrue(String.valueOf(failure.getMessage()).contains("no such library"), failure::toString);
    }

    static Path script(Path directory, String body) throws IOException {
        Path file = directory.resolve("redis-server");
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file;
    }
}
