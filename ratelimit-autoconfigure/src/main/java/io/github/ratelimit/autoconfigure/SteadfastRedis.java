/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.redis.RedisRateLimitStore;
import io.github.ratelimit.store.Carrier;
import io.github.ratelimit.store.CoalescingStore;
import io.github.ratelimit.store.DenialCache;
import io.github.ratelimit.store.Remote;
import io.github.ratelimit.store.SteadfastStore;
import io.github.ratelimit.store.StoreHealth;
import io.github.ratelimit.tuning.SharedNotes;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Redis behind a cache of denials, shared trips, a deadline, a breaker and the failure policies; connected before the
 * application is ready if it answers.
 *
 * <p>When the application stops, the connection is closed after everything that serves requests and before the
 * application's own connection factory; when it only pauses, the next call opens it again. What fails between the stop and the
 * next start is no outage: nobody is warned of a connection that was closed on purpose.
 */
final class SteadfastRedis implements SharedStore, SmartLifecycle {

    private static final long PREPARATION_MILLIS = 1_000;

    /** Stopped before the connection factories, whose phase is 0. */
    private static final int PHASE = 1;

    private final RateLimitProperties properties;
    private final Supplier<RedisRateLimitStore> opener;
    private final Supplier<String> address;
    private final Supplier<SharedNotes> notes;
    private final Supplier<LocalRateLimitStore> standby;
    private final Supplier<StoreHealth> health;
    private @Nullable RedisRateLimitStore redis;
    private volatile @Nullable SteadfastStore steadfast;
    private volatile boolean prepared;
    private volatile boolean running;

    SteadfastRedis(
            RateLimitProperties properties,
            Supplier<RedisRateLimitStore> opener,
            Supplier<String> address,
            Supplier<SharedNotes> notes,
            Supplier<LocalRateLimitStore> standby,
            Supplier<StoreHealth> health) {
        this.properties = properties;
        this.opener = opener;
        this.address = address;
        this.notes = notes;
        this.standby = standby;
        this.health = health;
    }

    @Override
    public RateLimitStore open() {
        RedisRateLimitStore opened = opener.get();
        SteadfastStore guarded = new SteadfastStore(
                new Remote(
                        opened,
                        opened::acquireInTurn,
                        address.get(),
                        opened::route,
                        opened::renew,
                        new Carrier(opened::isWhereAnswersArrive, opened::runWhereAnswersArrive)),
                standby.get(),
                properties.storeTimeout(),
                properties.localShare(),
                health.get());
        opened.onHealing(guarded::clockJumped);
        redis = opened;
        steadfast = guarded;
        prepare(opened, guarded);
        RateLimitStore coalescing = coalescing(opened, guarded);
        if (!properties.redis().denialCache()) {
            return coalescing;
        }
        DenialCache cache = new DenialCache(coalescing, guarded::isAway, !opened.isBlocking(), opened::mayDivideCalls);
        guarded.onGivenBack(cache::forget);
        return cache;
    }

    private RateLimitStore coalescing(RedisRateLimitStore redis, SteadfastStore guarded) {
        return properties.redis().coalescing() && !redis.isBlocking()
                ? new CoalescingStore(guarded, guarded.trips(), redis::sharesTrips, properties.storeTimeout())
                : guarded;
    }

    /** Not being able to is no reason not to start: the failure policies hold until Redis answers. */
    private void prepare(RedisRateLimitStore redis, SteadfastStore guarded) {
        try {
            redis.prepare().toCompletableFuture().get(PREPARATION_MILLIS, TimeUnit.MILLISECONDS);
            prepared = true;
        } catch (ExecutionException | TimeoutException e) {
            guarded.lost(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public SharedNotes notes() {
        return notes.get();
    }

    @Override
    public boolean isPrepared() {
        return prepared;
    }

    @Override
    public boolean isAway() {
        SteadfastStore guarded = steadfast;
        return guarded != null && guarded.isAway();
    }

    @Override
    public void start() {
        running = true;
        SteadfastStore guarded = steadfast;
        if (guarded != null) {
            guarded.resume();
        }
    }

    @Override
    public void stop() {
        running = false;
        SteadfastStore guarded = steadfast;
        if (guarded != null) {
            guarded.pause();
        }
        if (redis != null) {
            redis.disconnect();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void close() {
        SteadfastStore guarded = steadfast;
        if (guarded != null) {
            guarded.close();
        }
        if (redis != null) {
            redis.close();
        }
    }
}
