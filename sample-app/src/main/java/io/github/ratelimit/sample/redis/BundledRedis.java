/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;
import redis.embedded.core.ExecutableProvider;

/** The Redis that embedded-redis brings along: for development, on a free port, keeping nothing. */
final class BundledRedis implements AutoCloseable {

    static final String HOST = "127.0.0.1";
    private static final int LONGEST_START_MILLIS = 5_000;
    private static final int STEP_MILLIS = 20;

    private final Path directory;
    private final Process process;
    private final int port;
    private String version = "";

    private BundledRedis(Path directory, Process process, int port) {
        this.directory = directory;
        this.process = process;
        this.port = port;
    }

    /**
     * Starts it.
     *
     * @throws IOException saying why it does not run on this machine
     */
    static BundledRedis start() throws IOException {
        Path directory = Files.createTempDirectory("sample-redis-");
        try {
            int port = freePort();
            Process process = new ProcessBuilder(command(executable(directory), port, directory))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("redis.log").toFile())
                    .start();
            BundledRedis redis = new BundledRedis(directory, process, port);
            redis.awaitAnswer();
            return redis;
        } catch (IOException failure) {
            FileSystemUtils.deleteRecursively(directory);
            throw failure;
        }
    }

    int port() {
        return port;
    }

    String version() {
        return version;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
        process.destroyForcibly();
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException left) {
            directory.toFile().deleteOnExit();
        }
    }

    private static String executable(Path directory) throws IOException {
        try {
            return ExecutableProvider.newJarResourceProvider(directory.toFile())
                    .get()
                    .getPath();
        } catch (RuntimeException unknownMachine) {
            throw new IOException("none for this machine: " + unknownMachine.getMessage(), unknownMachine);
        }
    }

    private static List<String> command(String executable, int port, Path directory) {
        return List.of(
                executable,
                "--port",
                Integer.toString(port),
                "--bind",
                HOST,
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                directory.toString());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitAnswer() throws IOException {
        for (int waited = 0; process.isAlive() && waited < LONGEST_START_MILLIS; waited += STEP_MILLIS) {
            try {
                version = RedisProbe.versionAt(HOST, port);
                return;
            } catch (IOException notYet) {
                pause();
            }
        }
        String said = Files.readString(directory.resolve("redis.log")).strip();
        close();
        throw new IOException("it did not start"
                + (said.isEmpty() ? "" : ": " + said.lines().findFirst().orElse("")));
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(STEP_MILLIS);
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interruption);
        }
    }
}
