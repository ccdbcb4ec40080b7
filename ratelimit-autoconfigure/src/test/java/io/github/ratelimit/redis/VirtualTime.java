/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A clock that a test moves, in place of Redis's own.
 *
 * <p>The scripts read it from a key instead of asking for the {@code TIME}, and write without expiry, which would go by
 * real time; on a single server the instant at which a key may go is kept in a hash instead. In a cluster every master has a clock of its
 * own, in a slot of its own; a script takes the one it can reach.
 */
final class VirtualTime implements AutoCloseable {

    private static final String HOME = "{virtual}";
    private static final String DEADLINES = HOME + "deadlines";
    private static final String TIME = "local time = redis.call('TIME')";
    private static final String WRITE = "redis.call('PSETEX', key, ttl, text)";
    private static final String WRITE_MISSING = "redis.call('SET', key, text, 'PX', ttl, 'NX')";
    private static final String EXPIRE = "redis.call('PEXPIRE', key, ttl)";

    private final List<RedisCommands> masters = new ArrayList<>();
    private final List<String> homes = new ArrayList<>();
    private final boolean clustered;
    private long set = -1;

    VirtualTime(RedisServer server) {
        this.clustered = false;
        masters.add(server.connect());
        homes.add(HOME);
        set(0);
    }

    VirtualTime(RedisCluster cluster) {
        this.clustered = true;
        for (RedisServer master : cluster.masters()) {
            masters.add(master.connect());
            homes.add(IntStream.range(0, 1_000)
                    .mapToObj(i -> "{virtual" + i + "}")
                    .filter(home -> cluster.masterOf(home).equals(master))
                    .findFirst()
                    .orElseThrow());
        }
        set(0);
    }

    /** Sets the time, in microseconds. */
    void set(long micros) {
        if (micros == set) {
            return;
        }
        set = micros;
        String time = micros / 1_000_000 + " " + micros % 1_000_000;
        for (int i = 0; i < masters.size(); i++) {
            masters.get(i).send("SET", homes.get(i) + "clock", time);
        }
    }

    /** What to do to each script. */
    UnaryOperator<String> inScripts() {
        return clustered ? this::inCluster : VirtualTime::onOneServer;
    }

    /** Each key with the instant, in microseconds, at which its last writer lets it go. One server only. */
    Map<String, Long> deadlines() {
        List<?> reply = (List<?>) Objects.requireNonNull(masters.get(0).send("HGETALL", DEADLINES));
        Map<String, Long> deadlines = new HashMap<>();
        for (int i = 0; i < reply.size(); i += 2) {
            deadlines.put(String.valueOf(reply.get(i)), Long.valueOf(String.valueOf(reply.get(i + 1))));
        }
        return deadlines;
    }

    /** Lets a key go. */
    void expire(String key) {
        masters.get(0).send("DEL", key);
        masters.get(0).send("HDEL", DEADLINES, key);
    }

    private static String onOneServer(String script) {
        String read = "local time = {string.match(redis.call('GET', '%sclock'), '(%%d+) (%%d+)')}".formatted(HOME);
        String keep = "redis.call('HSET', '%s', key, string.format('%%.0f', now + ttl * 1000))".formatted(DEADLINES);
        String keepAlso = "(function() " + keep + " return redis.call('SET', key, text, 'NX') end)()";
        return replaceIn(script.replace(WRITE_MISSING, keepAlso), read, "redis.call('SET', key, text) " + keep, keep);
    }

    private String inCluster(String script) {
        String names = homes.stream().map(home -> "'" + home + "clock'").collect(Collectors.joining(", "));
        String read = "local time for _, clock in ipairs({" + names + "}) do local text = redis.pcall('GET', clock)"
                + " if type(text) == 'string' then time = {string.match(text, '(%d+) (%d+)')} end end";
        return replaceIn(script, read, "redis.call('SET', key, text)", "local _ = ttl");
    }

    private static String replaceIn(String script, String read, String write, String expire) {
        return replaceOnce(replaceOnce(script.replace(WRITE, write), TIME, read), EXPIRE, expire);
    }

    static String replaceOnce(String script, String old, String fresh) {
        int at = script.indexOf(old);
        if (at < 0 || script.indexOf(old, at + 1) >= 0) {
            throw new IllegalStateException("expected exactly once: " + old + "\nin\n" + script);
        }
        return script.substring(0, at) + fresh + script.substring(at + old.length());
    }

    @Override
    public void close() {
        masters.forEach(RedisCommands::close);
    }
}
