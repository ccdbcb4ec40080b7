/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The start of a server: its process is started, and asked over its port until it is known that this one answers. */
final class Launch {

    private static final Duration PROBE_TIME = Duration.ofSeconds(2);
    private static final long STEP_NANOS = Duration.ofMillis(5).toNanos();

    private final ServerProcess process;
    private final int port;
    private final @Nullable String password;
    private final String token;
    private final Duration atMost;
    private String version = "";

    /**
     * A start that lasts so long at most.
     *
     * @param token the name of the database file, which no other server has
     */
    Launch(ServerProcess process, int port, @Nullable String password, String token, Duration atMost) {
        this.process = process;
        this.port = port;
        this.password = password;
        this.token = token;
        this.atMost = atMost;
    }

    /** Starts the process and returns the version of the server that answers and is known to be ours. */
    String run() throws PortTakenException {
        try {
            process.start();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start Redis on port " + port, e);
        }
        long end = System.nanoTime() + atMost.toNanos();
        String lastSeen = "no connection";
        while (process.isAlive()) {
            lastSeen = probe();
            if (lastSeen.isEmpty()) {
                return version;
            }
            if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
                process.kill();
                throw new IllegalStateException(
                        "Redis on port " + port + " is not ready: " + lastSeen + "\n" + process.log());
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
        String log = process.log();
        if (log.contains("Address already in use") || log.contains("Failed listening on port")) {
            throw new PortTakenException("Port " + port + " is taken by another program (" + lastSeen + ")");
        }
        throw new IllegalStateException("Redis did not start on port " + port + ":\n" + log);
    }

    /** Asks the server on the port who it is; returns what is wrong, or nothing. */
    private String probe() {
        try (RedisCommands connection = RedisCommands.login(port, password, PROBE_TIME)) {
            connection.send("PING");
            String info = String.valueOf(connection.send("INFO", "server"));
            if (!List.of("dbfilename", token).equals(connection.send("CONFIG", "GET", "dbfilename"))) {
                return "another Redis answers there: not started with our token";
            }
            String answering = RedisInfo.field(info, "process_id");
            if (process.pid() >= 0 && !answering.equals(Long.toString(process.pid()))) {
                return "another Redis answers there: process " + answering;
            }
            version = RedisInfo.field(info, "redis_version");
            return "";
        } catch (UncheckedIOException | RedisReplyException | NumberFormatException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
