/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Servers that nobody closed are gone when their JVM is, however it ends. */
class JvmEndTest {

    private static final Duration AT_MOST = Duration.ofSeconds(20);

    @Test
    void anOrderlyEndClosesAllServers() throws Exception {
        endsWithoutTrace("exit", false);
    }

    @Test
    void anEndWithoutShutdownHooksClosesAllServers() throws Exception {
        endsWithoutTrace("halt", true);
    }

    private static void endsWithoutTrace(String end, boolean afterwards) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        end)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<Long> pids = new ArrayList<>();
        List<Path> directories = new ArrayList<>();
        try (BufferedReader lines = jvm.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("pid ")) {
                    pids.add(Long.valueOf(line.substring(4)));
                } else if (line.startsWith("dir ")) {
                    directories.add(Path.of(line.substring(4)));
                }
            }
            assertTrue(jvm.waitFor(AT_MOST.toSeconds(), TimeUnit.SECONDS));
        } finally {
            jvm.destroyForcibly();
        }
        assertTrue(pids.size() == 2 && directories.size() == 2, "two servers ran");
        if (afterwards) {
            Poll.until(
                    "no process and no directory",
                    AT_MOST,
                    () -> pids.stream().noneMatch(LocalRedis::runs)
                            && directories.stream().noneMatch(Files::exists));
        } else {
            pids.forEach(pid -> assertFalse(LocalRedis.runs(pid), "process " + pid));
            directories.forEach(directory -> assertFalse(Files.exists(directory), directory.toString()));
        }
    }

    /** What the other JVM runs. */
    static final class Child {

        private Child() {}

        public static void main(String[] args) throws IOException {
            RedisServer running = LocalRedis.start();
            RedisServer paused = LocalRedis.start();
            for (RedisServer server : List.of(running, paused)) {
                System.out.println("pid " + server.pid());
                System.out.println("dir " + server.directory());
            }
            paused.pause();
            if (args[0].equals("halt")) {
                Runtime.getRuntime().halt(1);
            }
            System.exit(0);
        }
    }
}
