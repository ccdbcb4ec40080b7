/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Redis says about its own work. */
final class ServerWork implements AutoCloseable {

    private static final Pattern PROCESSOR = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");
    private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z|]+):calls=(\\d+)");

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

    /** Commands since its start that somebody sent, without ours. */
    long commands() {
        long sum = 0;
        Matcher calls = CALLS.matcher(info("commandstats"));
        while (calls.find()) {
            if (!calls.group(1).equals("info")) {
                sum += Long.parseLong(calls.group(2));
            }
        }
        return sum;
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

    private String info(String section) {
        return String.valueOf(redis.send("INFO", section));
    }

    @Override
    public void close() {
        redis.close();
    }
}
