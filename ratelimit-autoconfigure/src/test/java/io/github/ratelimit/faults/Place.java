/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import io.github.ratelimit.Limit;
import io.github.ratelimit.redis.SkewedClock;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisReplyException;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.RedisServerBuilder;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** A Redis of one's own, and the way to it. */
record Place(RedisServer server, TcpProxy way) implements AutoCloseable {

    private static final String IN_2100 = "4102444800000000%03d";

    static Place open() {
        return open(RedisServer.builder());
    }

    /** One that takes its time to load, and says so meanwhile: from Redis 7 on. */
    static Place openForLoading() {
        return open(RedisServer.builder()
                .config("key-load-delay", "100")
                .config("loading-process-events-interval-bytes", "1024"));
    }

    private static Place open(RedisServerBuilder settings) {
        RedisServer server = settings.config("lua-time-limit", "50").start();
        return new Place(server, new TcpProxy(server.port()));
    }

    /** Sends a command past the way, and does not mind that it ends the connection. */
    void tell(String... command) {
        try {
            server.command(command);
        } catch (UncheckedIOException ended) {
            server.command("PING");
        }
    }

    void flushScripts() {
        for (int i = 0; i < 200; i++) {
            tell("SCRIPT", "FLUSH");
        }
    }

    /** Restarts it with so much to load that it takes a while. */
    void restartLoading() {
        for (int i = 0; i < 20; i++) {
            tell("EVAL", "for i = 1, 1000 do redis.call('SET', ARGV[1] .. ':' .. i, i) end", "0", "ballast" + i);
        }
        tell("SAVE");
        start(server::restart);
    }

    void keepBusy() {
        beside("EVAL", "while true do end", "0");
    }

    void awaitLoaded() {
        Eventually.until("loaded", Duration.ofSeconds(30), this::isLoaded);
    }

    private boolean isLoaded() {
        try {
            return server.command("GET", "ballast0:1") != null;
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    private void beside(String... command) {
        start(() -> {
            try (RedisCommands connection = server.connect()) {
                connection.send(command);
            } catch (RedisReplyException | UncheckedIOException ended) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "beside");
        thread.setDaemon(true);
        thread.start();
    }

    void putInOurKeys(String value) {
        for (String key : keys()) {
            server.command("SET", key, value);
        }
    }

    void putLists() {
        String script = "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key)"
                + " redis.call('RPUSH', key, 'not ours') end";
        tell("EVAL", script, "0", Load.PREFIX + ":*");
    }

    void putFuture() {
        for (Limit limit : Load.LIMITS) {
            for (String key : keys()) {
                if (key.contains(":" + limit.name() + ":")) {
                    server.command("SET", key, IN_2100.formatted(limit.fingerprint()));
                }
            }
        }
    }

    /** Moves the clock, as far as the scripts see it. */
    void clock(Duration off) {
        SkewedClock.set(server, off);
    }

    void clockRight() {
        clock(Duration.ZERO);
    }

    private List<String> keys() {
        Object keys = server.command("KEYS", Load.PREFIX + ":*");
        return ((List<?>) keys).stream().map(String::valueOf).toList();
    }

    @Override
    public void close() {
        way.close();
        server.close();
    }
}
