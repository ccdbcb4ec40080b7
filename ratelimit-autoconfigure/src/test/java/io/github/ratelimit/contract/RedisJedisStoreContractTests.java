/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;

/** Redis through Jedis keeps the contract. */
@WithRedis
class RedisJedisStoreContractTests extends RateLimitStoreContract {

    RedisJedisStoreContractTests(RedisServer server) {
        super(Stores.jedis(server));
    }
}
