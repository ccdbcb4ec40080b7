/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads: never one permit too many, never a deadlock. */
class ConcurrencyTests {

    private static final int THREADS = 8;

    private final AtomicLong clock = new AtomicLong(1_800_000_000_000_000L);
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    /** Something that every thread does, and counts. */
    private interface Work {
        long run(Random random);
    }

    private long together(Work work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<Long>> results = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long seed = i;
            results.add(threads.submit(() -> {
                start.await(30, TimeUnit.SECONDS);
                return work.run(new Random(seed));
            }));
        }
        long sum = 0;
        for (Future<Long> result : results) {
            sum += result.get(60, TimeUnit.SECONDS);
        }
        return sum;
    }

    private static Limit limit(Kind kind, String name, long permits) {
        return kind.named(name).permits(permits).period(Duration.ofHours(1)).build();
    }

    private static long granted(LocalRateLimitStore store, Charge... charges) {
        return Stages.await(store.acquire(List.of(charges))).passes() ? 1 : 0;
    }

    @ParameterizedTest
    @EnumSource
    void exactlyThePermits(Kind kind) throws Exception {
        LocalRateLimitStore store = new LocalRateLimitStore(clock::get, 100);
        Limit limit = limit(kind, "orders", 1_000);
        // a paced departure an hour ahead is as far as anybody waits
        Charge charge = kind.charge(limit, "ann", 1);

        long granted = together(random -> {
            long mine = 0;
            for (int i = 0; i < 500; i++) {
                mine += granted(store, charge);
            }
            return mine;
        });

        assertThat(granted).isEqualTo(1_000);
    }

    /** Most calls swap the number; others lock, with another limit, other numbers, or as many permits as there are. */
    @Test
    void exactlyThePermitsWithAndWithoutTheLock() throws Exception {
        for (int round = 0; round < 20; round++) {
            LocalRateLimitStore store = new LocalRateLimitStore(clock::get, 100);
            Limit limit = limit(Kind.TOKEN_BUCKET, "orders", 1_000);
            Limit same = limit.with().plan("gold").build();
            Limit beside = limit(Kind.FIXED_WINDOW, "beside", 1_000_000);
            Charge one = Charge.of(limit, "ann", 1);

            long granted = together(random -> {
                long mine = 0;
                for (int i = 0; i < 500; i++) {
                    mine += switch (random.nextInt(8)) {
                        case 0 -> granted(store, one, Charge.of(beside, "ann", 1));
                        case 1 -> granted(store, Charge.of(same, "ann", 1));
                        case 2 ->
                            Stages.await(store.acquireUpTo(Charge.of(limit, "ann", 2)))
                                    .granted();
                        case 3 -> grantedAndGivenBack(store, one);
                        default -> granted(store, one);
                    };
                }
                return mine;
            });

            long left = Stages.await(store.acquireUpTo(Charge.of(limit, "ann", 1_000)))
                    .granted();
            assertThat(granted + left).isEqualTo(1_000);
            assertThat(left).as("nearly all is spent").isLessThan(10);
        }
    }

    private static long grantedAndGivenBack(LocalRateLimitStore store, Charge charge) {
        Reservation reservation = Stages.await(store.reserve(List.of(charge)));
        Stages.await(store.peek(List.of(charge)));
        return reservation.decision().passes() ? 1 - Stages.await(store.cancel(reservation)) : 0;
    }

    @Test
    void severalLimitsInAnyOrder() throws Exception {
        LocalRateLimitStore store = new LocalRateLimitStore(clock::get, 100);
        List<Limit> limits = List.of(
                limit(Kind.TOKEN_BUCKET, "a", 3_000),
                limit(Kind.FIXED_WINDOW, "b", 2_000),
                limit(Kind.SLIDING_WINDOW_LOG, "c", 2_500));

        long granted = together(random -> {
            long mine = 0;
            for (int i = 0; i < 1_000; i++) {
                int first = random.nextInt(3);
                Charge one = Charge.of(limits.get(first), "ann", 1);
                Charge two = Charge.of(limits.get((first + 1) % 3), "ann", 1);
                Charge three = Charge.of(limits.get((first + 2) % 3), "ann", 1);
                mine += random.nextBoolean() ? granted(store, one, two, three) : granted(store, three, two, one);
            }
            return mine;
        });

        assertThat(granted).isEqualTo(2_000);
        Allowed left = (Allowed) Stages.await(store.peek(List.of(Charge.of(limits.get(2), "ann", 0))));
        assertThat(left.remaining()).isEqualTo(500);
    }

    /** Counters come and go all the time, and keys change between the shared counter and their own. */
    @Test
    void neverTooManyWhileCountersLeaveAndEnter() throws Exception {
        LocalRateLimitStore store = new LocalRateLimitStore(clock::get, 3);
        Limit limit = Limit.named("orders")
                .permits(1)
                .burst(5L)
                .period(Duration.ofSeconds(1))
                .build();
        long start = clock.get();
        int keys = 10;
        AtomicLong[] used = new AtomicLong[keys];
        for (int i = 0; i < keys; i++) {
            used[i] = new AtomicLong();
        }

        together(random -> {
            for (int i = 0; i < 20_000; i++) {
                int key = random.nextInt(keys);
                used[key].addAndGet(granted(store, Charge.of(limit, "key-" + key, 1)));
                if (random.nextInt(50) == 0) {
                    clock.addAndGet(200_000);
                }
            }
            return 0;
        });

        long seconds = (clock.get() - start) / 1_000_000;
        assertThat(store.size()).isLessThanOrEqualTo(3);
        for (AtomicLong ofKey : used) {
            assertThat(ofKey.get()).isBetween(1L, 5 + seconds);
        }
    }

    /** The clock stands still: a key may have used its own counter or the shared one, never both. */
    @Test
    void neverTooManyWhenRoomAppears() throws Exception {
        Limit filler =
                Limit.named("filler").permits(1).period(Duration.ofMillis(1)).build();
        Limit limit = limit(Kind.TOKEN_BUCKET, "orders", 3);
        for (int round = 0; round < 300; round++) {
            LocalRateLimitStore store = new LocalRateLimitStore(clock::get, 1);
            granted(store, Charge.of(filler, "filler", 1));
            int roomAt = round % THREADS;

            long granted = together(random -> {
                long mine = 0;
                for (int i = 0; i < 10; i++) {
                    if (i == roomAt) {
                        clock.addAndGet(1_000);
                    }
                    mine += granted(store, Charge.of(limit, "ann", 1));
                }
                return mine;
            });

            assertThat(granted).isEqualTo(3);
        }
    }

    @Test
    void reservationsAndCancellationsLeaveNothing() throws Exception {
        LocalRateLimitStore store = new LocalRateLimitStore(clock::get, 100);
        Limit one = limit(Kind.TOKEN_BUCKET, "one", 100);
        Limit two = limit(Kind.FIXED_WINDOW, "two", 100);

        together(random -> {
            for (int i = 0; i < 2_000; i++) {
                Reservation reservation =
                        Stages.await(store.reserve(List.of(Charge.of(one, "ann", 2), Charge.of(two, "ann", 1))));
                Stages.await(store.cancel(reservation));
                Stages.await(store.acquireUpTo(Charge.of(two, "bob", 1)));
                Stages.await(store.reset(two, "bob"));
            }
            return 0;
        });

        Allowed left = (Allowed) Stages.await(store.peek(List.of(Charge.of(one, "ann", 0), Charge.of(two, "ann", 0))));
        assertThat(left.remaining()).isEqualTo(100);
    }
}
