/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to know of counters in Redis: the scripts, and fields that are read by their names. */
public final class RedisHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources().registerPattern("io/github/ratelimit/redis/*.lua");
        hints.reflection()
                .registerTypeIfPresent(
                        loader,
                        "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                        type -> type.withField(OwnLettuceClient.CONFIGURATION))
                .registerTypeIfPresent(
                        loader, "redis.clients.jedis.UnifiedJedis", type -> type.withField(JedisNodes.PROVIDER));
    }
}
