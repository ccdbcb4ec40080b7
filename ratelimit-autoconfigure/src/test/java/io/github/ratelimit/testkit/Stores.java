/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testkit;

import io.github.ratelimit.local.LocalUnderTest;
import io.github.ratelimit.redis.Client;
import io.github.ratelimit.redis.RedisUnderTest;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;

/** Opens each kind of store, on a clock that the test moves. */
public final class Stores {

    private Stores() {}

    /** In this JVM. */
    public static StoreUnderTest local() {
        return LocalUnderTest.locked();
    }

    /** In this JVM, without a lock wherever that can be. */
    public static StoreUnderTest openLocal() {
        return LocalUnderTest.open();
    }

    /** On Redis, through Lettuce. */
    public static StoreUnderTest lettuce(RedisServer server) {
        return RedisUnderTest.on(server, Client.Kind.LETTUCE);
    }

    /** On Redis, through Jedis. */
    public static StoreUnderTest jedis(RedisServer server) {
        return RedisUnderTest.on(server, Client.Kind.JEDIS);
    }

    /** On a Redis Cluster, through Lettuce. */
    public static StoreUnderTest lettuce(RedisCluster cluster) {
        return RedisUnderTest.on(cluster, Client.Kind.LETTUCE);
    }

    /** On a Redis Cluster, through Jedis. */
    public static StoreUnderTest jedis(RedisCluster cluster) {
        return RedisUnderTest.on(cluster, Client.Kind.JEDIS);
    }
}
