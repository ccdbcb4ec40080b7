/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.NopeOptimizationListener;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.distributed.proxy.optimization.skiponzero.SkipSyncOnZeroOptimization;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.ratelimit.testredis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** bucket4j on Lettuce. Buckets are kept, as its optimizations ask for. */
final class Bucket4j implements Contender {

    static final String NAME = "bucket4j";
    static final String BATCHING = "bucket4j: batching";
    static final String SKIPPING = "bucket4j: skip sync on zero";

    private final String name;
    private final RedisClient client;
    private final ProxyManager<String> manager;
    private final Optimization optimization;
    private final BucketConfiguration configuration;
    private final ConcurrentHashMap<String, BucketProxy> buckets = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, AsyncBucketProxy> asyncBuckets = new ConcurrentHashMap<>();

    private Bucket4j(String name, RedisServer redis, Scenario scenario, Optimization optimization) {
        this.name = name;
        this.optimization = optimization;
        this.client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
        this.manager = Bucket4jLettuce.casBasedBuilder(
                        client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(10)))
                .build();
        Bandwidth limit = scenario.isAllowed()
                ? Bandwidth.builder()
                        .capacity(Scenario.ALLOWING_PERMITS)
                        .refillGreedy(Scenario.ALLOWING_PERMITS, Duration.ofSeconds(1))
                        .build()
                : Bandwidth.builder()
                        .capacity(1)
                        .refillGreedy(1, Duration.ofDays(Scenario.DENYING_DAYS))
                        .build();
        this.configuration = BucketConfiguration.builder().addLimit(limit).build();
    }

    static Bucket4j byDefault(RedisServer redis, Scenario scenario) {
        return new Bucket4j(NAME, redis, scenario, Optimization.NONE_OPTIMIZED);
    }

    static Bucket4j batching(RedisServer redis, Scenario scenario) {
        return new Bucket4j(BATCHING, redis, scenario, Optimizations.batching());
    }

    static Bucket4j skipping(RedisServer redis, Scenario scenario) {
        return new Bucket4j(
                SKIPPING,
                redis,
                scenario,
                new SkipSyncOnZeroOptimization(NopeOptimizationListener.INSTANCE, TimeMeter.SYSTEM_MILLISECONDS));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean decide(String key) {
        BucketProxy known = buckets.get(key);
        BucketProxy bucket = known != null
                ? known
                : buckets.computeIfAbsent(
                        key,
                        absent ->
                                manager.builder().withOptimization(optimization).build(absent, () -> configuration));
        return bucket.tryConsume(1);
    }

    @Override
    public boolean isAsync() {
        return true;
    }

    @Override
    public CompletionStage<?> decideAsync(String key) {
        AsyncBucketProxy known = asyncBuckets.get(key);
        AsyncBucketProxy bucket = known != null
                ? known
                : asyncBuckets.computeIfAbsent(
                        key,
                        absent -> manager.asAsync()
                                .builder()
                                .withOptimization(optimization)
                                .build(absent, () -> CompletableFuture.completedFuture(configuration)));
        return bucket.tryConsume(1);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
