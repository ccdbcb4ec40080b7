/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** What one key takes in Redis when a hundred calls of it were granted. */
final class KeyBytes {

    private static final int CALLS = 100;

    private static final List<Function<RedisServer, Contender>> CONTENDERS = List.of(
            Ours::bucket,
            Ours::window,
            redis -> Bucket4j.byDefault(redis, Scenario.HOT_ALLOWED),
            redis -> new Redisson(redis, CALLS, Duration.ofMinutes(1)),
            redis -> OnTemplate.gateway(redis, Scenario.HOT_ALLOWED),
            redis -> OnTemplate.increment(redis, Scenario.KEYS_DENIED));

    private KeyBytes() {}

    static Map<String, Long> measure() {
        Map<String, Long> bytes = new TreeMap<>();
        for (Function<RedisServer, Contender> contender : CONTENDERS) {
            try (RedisServer redis = RedisServer.start();
                    ServerWork work = new ServerWork(redis);
                    Contender one = contender.apply(redis)) {
                for (int i = 0; i < CALLS; i++) {
                    one.decide("tenant-1");
                }
                bytes.put(one.name(), work.bytesOfAllKeys());
            }
        }
        return bytes;
    }
}
