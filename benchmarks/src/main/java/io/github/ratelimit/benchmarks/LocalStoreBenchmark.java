/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import io.github.bucket4j.Bucket;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One decision in this JVM: the local store with each algorithm, beside limiters that count in the JVM only. Those know
 * no keys; {@code …ByKey} is what an application has to build around them, a map of limiters (that nobody bounds).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch") // compiled before it is measured, however busy the machine is
@Warmup(iterations = 6, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@SuppressWarnings("UnstableApiUsage") // Guava's limiter is @Beta
public class LocalStoreBenchmark {

    static final int MOST = 1_000_000;
    private static final String KEY = "acme";

    private final LocalRateLimitStore store = new LocalRateLimitStore(1_000);
    private final Limit tokenBucket = limit(Algorithm.TOKEN_BUCKET);
    private final Limit leakyBucket = limit(Algorithm.LEAKY_BUCKET);
    private final Limit fixedWindow = limit(Algorithm.FIXED_WINDOW);
    private final Limit slidingWindowLog = limit(Algorithm.SLIDING_WINDOW_LOG);
    private final Limit slidingWindowCounter = limit(Algorithm.SLIDING_WINDOW_COUNTER);
    private final Limit spent =
            Limit.named("spent").permits(1).period(Duration.ofDays(31)).build();

    private final com.google.common.util.concurrent.RateLimiter guava =
            com.google.common.util.concurrent.RateLimiter.create(1e9);
    private final io.github.resilience4j.ratelimiter.RateLimiter resilience4j = newResilience4j(KEY);
    private final Bucket bucket4j = newBucket4j(KEY);
    private final ConcurrentMap<String, io.github.resilience4j.ratelimiter.RateLimiter> resilience4js =
            new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Bucket> bucket4js = new ConcurrentHashMap<>();

    private static Limit limit(Algorithm algorithm) {
        return Limit.named(algorithm.name())
                .algorithm(algorithm)
                .permits(MOST)
                .period(Duration.ofMillis(1))
                .pace(algorithm == Algorithm.LEAKY_BUCKET ? false : null)
                .largeLog(algorithm == Algorithm.SLIDING_WINDOW_LOG ? true : null)
                .build();
    }

    static io.github.resilience4j.ratelimiter.RateLimiter newResilience4j(String name) {
        return io.github.resilience4j.ratelimiter.RateLimiter.of(
                name,
                RateLimiterConfig.custom()
                        .limitForPeriod(MOST)
                        .limitRefreshPeriod(Duration.ofMillis(1))
                        .timeoutDuration(Duration.ZERO)
                        .build());
    }

    static Bucket newBucket4j(String key) {
        return Bucket.builder()
                .addLimit(bandwidth -> bandwidth.capacity(MOST).refillGreedy(MOST, Duration.ofMillis(1)))
                .build();
    }

    private Decision decide(Limit limit) {
        return store.acquire(List.of(Charge.of(limit, KEY, 1)))
                .toCompletableFuture()
                .join();
    }

    @Benchmark
    public Decision tokenBucket() {
        return decide(tokenBucket);
    }

    @Benchmark
    public Decision leakyBucket() {
        return decide(leakyBucket);
    }

    @Benchmark
    public Decision fixedWindow() {
        return decide(fixedWindow);
    }

    @Benchmark
    public Decision slidingWindowLog() {
        return decide(slidingWindowLog);
    }

    @Benchmark
    public Decision slidingWindowCounter() {
        return decide(slidingWindowCounter);
    }

    @Benchmark
    public Decision denied() {
        return decide(spent);
    }

    @Benchmark
    public boolean guava() {
        return guava.tryAcquire();
    }

    @Benchmark
    public boolean resilience4j() {
        return resilience4j.acquirePermission();
    }

    @Benchmark
    public boolean resilience4jByKey() {
        return resilience4js
                .computeIfAbsent(KEY, LocalStoreBenchmark::newResilience4j)
                .acquirePermission();
    }

    @Benchmark
    public boolean bucket4j() {
        return bucket4j.tryConsume(1);
    }

    @Benchmark
    public boolean bucket4jByKey() {
        return bucket4js.computeIfAbsent(KEY, LocalStoreBenchmark::newBucket4j).tryConsume(1);
    }
}
