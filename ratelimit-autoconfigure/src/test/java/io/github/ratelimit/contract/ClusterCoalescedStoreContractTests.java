/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import io.github.ratelimit.store.CachedUnderTest;
import io.github.ratelimit.store.CoalescedUnderTest;
import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.WithRedis;

/** A Redis Cluster keeps the contract with everything in front that spares it work. */
@WithRedis
class ClusterCoalescedStoreContractTests extends RateLimitStoreContract {

    ClusterCoalescedStoreContractTests(RedisCluster cluster) {
        super(new CachedUnderTest(new CoalescedUnderTest(Stores.lettuce(cluster))));
    }
}
