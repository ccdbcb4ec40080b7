/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class RedisSourceTest {

    @TempDir
    Path directory;

    @Test
    void dockerComesFirst() throws IOException {
        RedisSource source = RedisSource.choose("", "", pathWithServer(), () -> true);
        assertEquals(new RedisSource(RedisProvider.DOCKER, null), source);
    }

    @Test
    void thePathComesSecond() throws IOException {
        RedisSource source = RedisSource.choose("", "", pathWithServer(), () -> false);
        assertEquals(new RedisSource(RedisProvider.PATH, directory.resolve("redis-server")), source);
    }

    @Test
    void theBundledBinaryComesLast() {
        RedisSource source = RedisSource.choose("", "", directory.toString(), () -> false);
        assertEquals(RedisProvider.EMBEDDED, source.provider());
        assertTrue(Files.isExecutable(assertNotNullPath(source.executable())));
    }

    @Test
    void theBundledBinaryStarts() {
        try (RedisServer server =
                RedisServer.builder().provider(RedisProvider.EMBEDDED).start()) {
            assertEquals(RedisProvider.EMBEDDED, server.provider());
            assertTrue(server.version().startsWith("6.2."), server.version());
            assertEquals("PONG", server.command("PING"));
        }
    }

    @Test
    void aWishIsFollowedWithoutAskingDocker() throws IOException {
        String path = pathWithServer();
        assertEquals(
                RedisProvider.EMBEDDED,
                RedisSource.choose("embedded", "", path, () -> fail("asked")).provider());
        assertEquals(
                RedisProvider.PATH,
                RedisSource.choose("path", "", path, () -> fail("asked")).provider());
        assertEquals(
                RedisProvider.DOCKER,
                RedisSource.choose("docker", "", path, () -> fail("asked")).provider());
    }

    @Test
    void anExecutableIsFollowed() throws IOException {
        Path file = OwnershipTest.script(directory, "exit 1");
        RedisSource wanted = new RedisSource(RedisProvider.PATH, file);
        assertEquals(wanted, RedisSource.choose("", file.toString(), "", () -> fail("asked")));
        assertEquals(wanted, RedisSource.choose("path", file.toString(), "", () -> fail("asked")));
    }

    @Test
    void aWishThatCannotBeMetIsAnError() throws IOException {
        Path plain = Files.writeString(directory.resolve("plain"), "");
        Path file = OwnershipTest.script(directory, "exit 1");
        assertMessage("'podman'", () -> RedisSource.choose("podman", "", "", () -> false));
        assertMessage("'DOCKER'", () -> RedisSource.choose("DOCKER", "", "", () -> false));
        assertMessage("No redis-server", () -> RedisSource.choose("path", "", "/nowhere", () -> false));
        assertMessage(plain.toString(), () -> RedisSource.choose("", plain.toString(), "", () -> false));
        assertMessage("contradicts", () -> RedisSource.choose("embedded", file.toString(), "", () -> false));
    }

    private static void assertMessage(String part, Executable choosing) {
        RuntimeException failure = assertThrows(RuntimeException.class, choosing);
        assertTrue(String.valueOf(failure.getMessage()).contains(part), failure::toString);
    }

    private static Path assertNotNullPath(@Nullable Path path) {
        assertNotNull(path);
        return path;
    }

    /** A path list with an empty entry, a directory without a server and one with a server. */
    private String pathWithServer() throws IOException {
        OwnershipTest.script(directory, "exit 1");
        return String.join(File.pathSeparator, "", "/nowhere", directory.toString());
    }
}
