/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.util.ReflectionUtils;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/**
 * The nodes of a cluster as Jedis knows them. Its client for a cluster is one class with Spring Boot 3.5 and another with 4.1,
 * and both keep the nodes to themselves: only the name of a field that they share leads there.
 */
record JedisNodes(UnifiedJedis client, ClusterConnectionProvider provider) {

    static final String PROVIDER = "provider";

    private static final @Nullable Field FIELD = field();

    /** The nodes behind a connection; {@code null} where it is none to a cluster. */
    static @Nullable JedisNodes behind(RedisConnection connection) {
        return FIELD != null
                        && connection.getNativeConnection() instanceof UnifiedJedis client
                        && ReflectionUtils.getField(FIELD, client) instanceof ClusterConnectionProvider provider
                ? new JedisNodes(client, provider)
                : null;
    }

    /** The master that has the key's slot, as it is known; {@code null} where it is not. Asks nobody. */
    @Nullable
    HostAndPort node(byte[] key) {
        return provider.getNode(ClusterSlotHashUtil.calculateSlot(key));
    }

    /** A connection to that master. */
    Connection connection(byte[] key) {
        return provider.getConnectionFromSlot(ClusterSlotHashUtil.calculateSlot(key));
    }

    /** A connection to this node. */
    Connection connection(HostAndPort node) {
        return provider.getConnection(node);
    }

    /** Has Jedis find the way to a key; what is there does not matter. */
    void look(byte[] key) {
        try {
            client.get(key);
        } catch (JedisException seen) {
            // another kind of value, or still no way
        }
    }

    private static @Nullable Field field() {
        Field provider = ReflectionUtils.findField(UnifiedJedis.class, PROVIDER);
        if (provider != null) {
            ReflectionUtils.makeAccessible(provider);
        }
        return provider;
    }
}
