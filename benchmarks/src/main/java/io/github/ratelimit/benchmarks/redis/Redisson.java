/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RRateLimiter}. Limiters are kept and configured once. */
final class Redisson implements Contender {

    static final String NAME = "Redisson RRateLimiter";

    private final RedissonClient client;
    private final long permits;
    private final Duration period;
    private final ConcurrentHashMap<String, RRateLimiter> limiters = new ConcurrentHashMap<>();

    Redisson(RedisServer redis, Scenario scenario) {
        this(
                redis,
                scenario.isAllowed() ? Scenario.ALLOWING_PERMITS : 1,
                scenario.isAllowed() ? Duration.ofSeconds(1) : Duration.ofDays(Scenario.DENYING_DAYS));
    }

    Redisson(RedisServer redis, long permits, Duration period) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://" + redis.host() + ":" + redis.port());
        this.client = org.redisson.Redisson.create(config);
        this.permits = permits;
        this.period = period;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean decide(String key) {
        return of(key).tryAcquire();
    }

    @Override
    public boolean isAsync() {
        return true;
    }

    @Override
    public CompletionStage<?> decideAsync(String key) {
        return of(key).tryAcquireAsync();
    }

    private RRateLimiter of(String key) {
        RRateLimiter known = limiters.get(key);
        return known != null ? known : limiters.computeIfAbsent(key, this::limiter);
    }

    private RRateLimiter limiter(String key) {
        RRateLimiter limiter = client.getRateLimiter(key);
        limiter.trySetRate(RateType.OVERALL, permits, period);
        return limiter;
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
