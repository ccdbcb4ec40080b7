/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import io.github.bucket4j.Bucket;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.local.LocalRateLimitStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Two threads that call one key in this JVM as fast as they can. Told is the time on the clock: waiting is the subject. */
@State(Scope.Benchmark)
@Threads(2)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch") // compiled before it is measured, however busy the machine is
@Warmup(iterations = 6, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class ContendedStoreBenchmark {

    private static final String KEY = "acme";

    private final LocalRateLimitStore store = new LocalRateLimitStore(1_000);
    private final Limit tokenBucket = Limit.named("contended")
            .permits(LocalStoreBenchmark.MOST)
            .period(Duration.ofMillis(1))
            .build();
    private final Bucket bucket4j = LocalStoreBenchmark.newBucket4j(KEY);
    private final io.github.resilience4j.ratelimiter.RateLimiter resilience4j =
            LocalStoreBenchmark.newResilience4j(KEY);

    @Benchmark
    public Decision tokenBucket() {
        return store.acquire(List.of(Charge.of(tokenBucket, KEY, 1)))
                .toCompletableFuture()
                .join();
    }

    @Benchmark
    public boolean bucket4j() {
        return bucket4j.tryConsume(1);
    }

    @Benchmark
    public boolean resilience4j() {
        return resilience4j.acquirePermission();
    }
}
