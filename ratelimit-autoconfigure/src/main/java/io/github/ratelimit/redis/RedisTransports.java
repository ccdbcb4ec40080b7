/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/** Chooses the way to Redis that a connection factory allows. */
public final class RedisTransports {

    private static final boolean LETTUCE =
            ClassUtils.isPresent("io.lettuce.core.RedisClient", RedisTransports.class.getClassLoader());

    private static final boolean JEDIS =
            ClassUtils.isPresent("redis.clients.jedis.Jedis", RedisTransports.class.getClassLoader());

    private RedisTransports() {}

    /**
     * Lettuce's asynchronous commands where the factory is Lettuce's own, else the plain path.
     *
     * @param connections the application's way to Redis
     * @param connector opens connections, beside the callers' threads
     * @param patience how long anybody waits for an answer
     */
    public static RedisTransport over(RedisConnectionFactory connections, Executor connector, Duration patience) {
        if (LETTUCE && Lettuce.isBehind(connections)) {
            return Lettuce.over(connections, connector, patience);
        }
        return JEDIS && Jedis.isBehind(connections)
                ? Jedis.over(connections, patience)
                : new ConnectionTransport(connections, patience);
    }

    /** Where these connections lead to, for people to read; a foreign factory is named by its type. */
    public static String address(RedisConnectionFactory connections) {
        if (LETTUCE && Lettuce.isBehind(connections)) {
            return Lettuce.address(connections);
        }
        return JEDIS && Jedis.isBehind(connections)
                ? Jedis.address(connections)
                : "over " + connections.getClass().getSimpleName();
    }

    /** Apart, so that it is loaded only where Lettuce is. */
    private static final class Lettuce {

        static boolean isBehind(RedisConnectionFactory connections) {
            return connections instanceof LettuceConnectionFactory lettuce && OwnLettuceClient.isPossible(lettuce);
        }

        static RedisTransport over(RedisConnectionFactory connections, Executor connector, Duration patience) {
            return new LettuceTransport(
                    new OwnLettuceClient((LettuceConnectionFactory) connections), connector, patience);
        }

        static String address(RedisConnectionFactory connections) {
            return Addresses.of(OwnLettuceClient.addresses((LettuceConnectionFactory) connections));
        }
    }

    /** Apart, so that it is loaded only where Jedis is. */
    private static final class Jedis {

        static boolean isBehind(RedisConnectionFactory connections) {
            return connections instanceof JedisConnectionFactory;
        }

        static RedisTransport over(RedisConnectionFactory connections, Duration patience) {
            boolean clustered = ((JedisConnectionFactory) connections).getClusterConfiguration() != null;
            return new ConnectionTransport(
                    connections, patience, clustered, clustered ? new JedisClusterSending() : Sending.PLAIN);
        }

        static String address(RedisConnectionFactory factory) {
            JedisConnectionFactory connections = (JedisConnectionFactory) factory;
            if (connections.getClusterConfiguration() != null) {
                return Addresses.of(connections.getClusterConfiguration());
            }
            return Addresses.of(
                    connections.getSentinelConfiguration() != null
                            ? connections.getSentinelConfiguration()
                            : connections.getStandaloneConfiguration());
        }
    }
}
