/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.tuning.SharedNotes;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/** Notes as one hash in Redis, and a channel of the same name. The hash has no time to live. */
public final class RedisNotes {

    private static final boolean LETTUCE =
            ClassUtils.isPresent("io.lettuce.core.RedisClient", RedisNotes.class.getClassLoader());

    private RedisNotes() {}

    /** The notes of an application, on connections of their own where the factory is Lettuce's and says where Redis is. */
    public static SharedNotes over(RedisConnectionFactory connections, String keyPrefix) {
        byte[] key = bytes(RedisKeys.beginning(keyPrefix) + "overrides");
        return LETTUCE && Lettuce.isBehind(connections)
                ? Lettuce.over(connections, key)
                : new ConnectionNotes(connections, key);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Map<String, String> texts(Map<byte[], byte[]> hash) {
        Map<String, String> texts = new HashMap<>();
        hash.forEach((name, text) ->
                texts.put(new String(name, StandardCharsets.UTF_8), new String(text, StandardCharsets.UTF_8)));
        return texts;
    }

    /** Whether there is anything to read, and not too much. */
    static boolean isWorthReading(long fields) {
        if (fields > SharedNotes.MOST) {
            throw new IllegalStateException(
                    "the hash has %d fields, and no more than %d are read".formatted(fields, SharedNotes.MOST));
        }
        return fields > 0;
    }

    /** What Redis says about a key is no failure to reach it. */
    static RuntimeException failure(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String said = String.valueOf(cause.getMessage());
            if (said.startsWith("WRONGTYPE") || said.startsWith("NOPERM")) {
                return new IllegalStateException(said, failure);
            }
        }
        return new RateLimitStoreException("Redis cannot be reached", failure);
    }

    /** Apart, so that it is loaded only where Lettuce is. */
    private static final class Lettuce {

        static boolean isBehind(RedisConnectionFactory connections) {
            return connections instanceof LettuceConnectionFactory lettuce && OwnLettuceClient.isPossible(lettuce);
        }

        static SharedNotes over(RedisConnectionFactory connections, byte[] key) {
            return new LettuceNotes(new OwnLettuceClient((LettuceConnectionFactory) connections), key);
        }
    }
}
