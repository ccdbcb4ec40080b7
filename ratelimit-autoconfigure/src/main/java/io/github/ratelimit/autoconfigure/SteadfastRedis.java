/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.redis.RedisRateLimitStore;
import io.github.ratelimit.store.SteadfastStore;
import io.github.ratelimit.store.StoreHealth;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Redis behind a deadline, a breaker and the failure policies; connected before the application is ready if it answers. */
final class SteadfastRedis implements SharedStore {

    private static final Logger LOG = LoggerFactory.getLogger(SteadfastRedis.class);
    private static final long PREPARATION_MILLIS = 1_000;

    private final RateLimitProperties properties;
    private final Supplier<RedisRateLimitStore> opener;
    private @Nullable RedisRateLimitStore redis;
    private @Nullable SteadfastStore steadfast;

    SteadfastRedis(RateLimitProperties properties, Supplier<RedisRateLimitStore> opener) {
        this.properties = properties;
        this.opener = opener;
    }

    @Override
    public RateLimitStore open() {
        RedisRateLimitStore opened = opener.get();
        SteadfastStore guarded = new SteadfastStore(
                opened,
                new LocalRateLimitStore(properties.local().maxKeys()),
                properties.storeTimeout(),
                properties.localShare(),
                StoreHealth.NONE);
        redis = opened;
        steadfast = guarded;
        prepare(opened);
        return guarded;
    }

    /** Not being able to is no reason not to start: the first call finds out, and the failure policies hold. */
    private static void prepare(RedisRateLimitStore redis) {
        try {
            redis.prepare().toCompletableFuture().get(PREPARATION_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "Redis did not answer at start: limits follow on-store-failure until it does. Is spring.data.redis.*"
                            + " right, and Redis running?",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (steadfast != null) {
            steadfast.close();
        }
        if (redis != null) {
            redis.close();
        }
    }
}
