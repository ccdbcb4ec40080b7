/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.util.concurrent.Executor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/** Chooses the way to Redis that a connection factory allows. */
public final class RedisTransports {

    private static final boolean LETTUCE =
            ClassUtils.isPresent("io.lettuce.core.RedisClient", RedisTransports.class.getClassLoader());

    private RedisTransports() {}

    /** Lettuce's asynchronous commands where the factory is Lettuce's own, else the plain path. */
    public static RedisTransport over(RedisConnectionFactory connections, Executor connector) {
        return LETTUCE && Lettuce.isBehind(connections)
                ? Lettuce.over(connections, connector)
                : new ConnectionTransport(connections);
    }

    /** Apart, so that it is loaded only where Lettuce is. */
    private static final class Lettuce {

        static boolean isBehind(RedisConnectionFactory connections) {
            return connections instanceof LettuceConnectionFactory;
        }

        static RedisTransport over(RedisConnectionFactory connections, Executor connector) {
            return new LettuceTransport(((LettuceConnectionFactory) connections).getRequiredNativeClient(), connector);
        }
    }
}
