/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testredis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A master, its replica, and a Sentinel that is quick to promote it. */
record Sentinel(RedisServer master, RedisServer replica, int port, Process process) implements AutoCloseable {

    static final String NAME = "counters";

    private static final Duration SOON = Duration.ofSeconds(20);

    static Sentinel start() {
        RedisServer master = RedisServer.start();
        RedisServer replica =
                RedisServer.builder().config("replica-serve-stale-data", "yes").start();
        replica.command("REPLICAOF", master.host(), Integer.toString(master.port()));
        Eventually.until(
                "the replica follows",
                SOON,
                () -> String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
        int port = freePort();
        try {
            Path directory = Files.createTempDirectory("sentinel-");
            Path config = Files.write(
                    directory.resolve("sentinel.conf"),
                    List.of(
                            "port " + port,
                            "bind 127.0.0.1",
                            "dir " + directory,
                            "sentinel monitor %s %s %d 1".formatted(NAME, master.host(), master.port()),
                            "sentinel down-after-milliseconds " + NAME + " 500",
                            "sentinel failover-timeout " + NAME + " 3000"));
            // One program with many names; the name tells it what to be.
            Path program = Path.of(ProcessHandle.of(master.pid())
                    .flatMap(handle -> handle.info().command())
                    .orElseThrow());
            Path server = Files.createSymbolicLink(directory.resolve("redis-server"), program);
            Process process = new ProcessBuilder(server.toString(), config.toString(), "--sentinel")
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("sentinel.log").toFile())
                    .start();
            Eventually.until("the Sentinel answers", SOON, () -> isListening(port));
            Eventually.until("it knows the replica", SOON, () -> log(directory).contains("+slave"));
            return new Sentinel(master, replica, port, process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String log(Path directory) {
        try {
            return Files.readString(directory.resolve("sentinel.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        master.close();
        replica.close();
    }
}
