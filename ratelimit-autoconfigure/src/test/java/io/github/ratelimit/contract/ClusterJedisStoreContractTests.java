/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.WithRedis;

/** A Redis Cluster through Jedis keeps the contract. */
@WithRedis
class ClusterJedisStoreContractTests extends RateLimitStoreContract {

    ClusterJedisStoreContractTests(RedisCluster cluster) {
        super(Stores.jedis(cluster));
    }
}
