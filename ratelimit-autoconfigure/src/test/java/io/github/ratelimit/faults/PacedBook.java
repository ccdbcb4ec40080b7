/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A leaky bucket that is never empty: callers reserve departures far ahead, and every second one is cancelled. No two that
 * are kept may be nearer than the pace, and the time until the bucket is empty is what all that were kept take.
 */
final class PacedBook implements Book {

    private static final long PACE_MICROS = 10_000;
    private static final String KEY = "queue";

    /** So long the bucket is busy before anybody calls: longer than a run, or it is empty where callers are slower than the pace. */
    private static final long AHEAD = Duration.ofMinutes(30).toMillis() * 1_000 / PACE_MICROS;

    private static final long PATIENCE_MICROS = Duration.ofHours(1).toSeconds() * 1_000_000;
    private static final long PAUSE_NANOS = 1_000_000;

    private static final Limit LIMIT = Limit.named("paced")
            .algorithm(Algorithm.LEAKY_BUCKET)
            .permits(1_000_000 / PACE_MICROS)
            .period(Duration.ofSeconds(1))
            .burst(1_000_000L)
            .onStoreFailure(FailurePolicy.ALLOW)
            .build();

    private final RedisServer server;
    private final long beganMicros;
    private final Queue<Long> kept = new ConcurrentLinkedQueue<>();
    private final LongAdder granted = new LongAdder();
    private final LongAdder uncounted = new LongAdder();

    /** What was cancelled: permits that Redis has given back, and cancellations nobody knows the outcome of. */
    private final LongAdder restored = new LongAdder();

    private final LongAdder unsure = new LongAdder();

    /** One that knows the clock of this server, on which something is under way. */
    PacedBook(RateLimitStore redis, RedisServer server) {
        this.server = server;
        this.beganMicros = reserve(redis, AHEAD).holds().get(0).dueMicros();
    }

    @Override
    public int callers() {
        return 3;
    }

    @Override
    public void call(RateLimitStore store, SplittableRandom random) {
        Reservation reservation = reserve(store, 1);
        if (reservation.holds().isEmpty()) {
            uncounted.increment();
        } else {
            granted.increment();
            if (random.nextBoolean()) {
                cancel(store, reservation);
            } else {
                kept.add(reservation.holds().get(0).dueMicros());
            }
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    private static Reservation reserve(RateLimitStore store, long cost) {
        return Stages.await(store.reserve(List.of(new Charge(LIMIT, KEY, cost, PATIENCE_MICROS))));
    }

    private void cancel(RateLimitStore store, Reservation reservation) {
        try {
            restored.add(Stages.await(store.cancel(reservation)));
        } catch (RateLimitStoreException unheard) {
            unsure.increment();
        }
    }

    @Override
    public Balance balance(RateLimitStore redis) {
        long[] departures = kept.stream().mapToLong(due -> due).sorted().toArray();
        for (int i = 1; i < departures.length; i++) {
            assertThat(departures[i] - departures[i - 1])
                    .as("between two departures, us")
                    .isGreaterThanOrEqualTo(PACE_MICROS);
        }
        long earliest = now();
        long untilEmpty = ((Allowed) Stages.await(redis.peek(List.of(Charge.of(LIMIT, KEY, 0))))).resetAfterMicros();
        long latest = now();
        long known = AHEAD + granted.sum() - restored.sum();
        assertThat(permits(latest + untilEmpty)).as("taken").isGreaterThanOrEqualTo(known - unsure.sum());
        return new Balance(
                granted.sum(), uncounted.sum(), Math.max(0, permits(earliest + untilEmpty - PACE_MICROS) - known));
    }

    /** How many permits the time until then is taken by. */
    private long permits(long emptyMicros) {
        return (emptyMicros - beganMicros + PACE_MICROS - 1) / PACE_MICROS;
    }

    private long now() {
        List<?> time = (List<?>) server.command("TIME");
        return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(time.get(1)));
    }

    @Override
    public String toString() {
        return LIMIT.name();
    }
}
