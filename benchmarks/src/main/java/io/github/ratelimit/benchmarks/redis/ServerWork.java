/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Redis says about its own work. */
final class ServerWork implements AutoCloseable {

    private static final Pattern PROCESSOR = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");
    private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z|]+):calls=(\\d+),usec=(\\d+)");

    private static final Pattern MEMORY = Pattern.compile("used_memory:(\\d+)");

    private final RedisCommands redis;

    ServerWork(RedisServer server) {
        this.redis = server.connect();
    }

    /** Processor time since its start. */
    long processorMicros() {
        double seconds = 0;
        Matcher time = PROCESSOR.matcher(info("cpu"));
        while (time.find()) {
            seconds += Double.parseDouble(time.group(1));
        }
        return (long) (seconds * 1e6);
    }

    /**
     * A command, since the start.
     *
     * @param calls how often it ran
     * @param micros how long that took, what it called included
     */
    record Command(long calls, long micros) {}

    /** Commands since its start that somebody sent or a script called, without ours. */
    Map<String, Command> commands() {
        Map<String, Command> commands = new HashMap<>();
        Matcher calls = CALLS.matcher(info("commandstats"));
        while (calls.find()) {
            if (!calls.group(1).equals("info")) {
                commands.put(
                        calls.group(1), new Command(Long.parseLong(calls.group(2)), Long.parseLong(calls.group(3))));
            }
        }
        return commands;
    }

    /** What ran between two looks. */
    static Map<String, Command> between(Map<String, Command> before, Map<String, Command> after) {
        Map<String, Command> between = new HashMap<>();
        after.forEach((name, command) -> {
            Command earlier = before.getOrDefault(name, new Command(0, 0));
            if (command.calls() > earlier.calls()) {
                between.put(name, new Command(command.calls() - earlier.calls(), command.micros() - earlier.micros()));
            }
        });
        return between;
    }

    /** What all keys together take. */
    long bytesOfAllKeys() {
        List<?> keys = (List<?>) Objects.requireNonNull(redis.send("KEYS", "*"));
        long sum = 0;
        for (Object key : keys) {
            sum += Long.parseLong(String.valueOf(redis.send("MEMORY", "USAGE", String.valueOf(key), "SAMPLES", "0")));
        }
        return sum;
    }

    /** What it holds in memory, in bytes. */
    long memory() {
        Matcher used = MEMORY.matcher(info("memory"));
        return used.find() ? Long.parseLong(used.group(1)) : 0;
    }

    /** How many keys there are. */
    long keys() {
        return Long.parseLong(String.valueOf(redis.send("DBSIZE")));
    }

    private String info(String section) {
        return String.valueOf(redis.send("INFO", section));
    }

    @Override
    public void close() {
        redis.close();
    }
}
