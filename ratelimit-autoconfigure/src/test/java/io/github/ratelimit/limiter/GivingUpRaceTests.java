/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static io.github.ratelimit.limiter.Hall.bucket;
import static io.github.ratelimit.limiter.Hall.one;
import static io.github.ratelimit.limiter.Hall.paced;
import static io.github.ratelimit.limiter.Hall.window;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Giving up meets the end of the wait, again and again: whoever goes ahead has its permits, whoever does not has given
 * them back, and nothing is lost or doubled in between. The store's clock stands still, so that no permit comes back with
 * time and every one can be counted in the end.
 */
class GivingUpRaceTests {

    private static final int CALLS = 400;

    private final Hall hall = new Hall().places(CALLS);

    @AfterEach
    void close() {
        hall.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aCancellationThatMeetsTheTimer(long seed) {
        hall.with(bucket("a", 1, ofMillis(2)), paced("p", 3, ofMillis(2)));
        SplittableRandom random = new SplittableRandom(seed);
        List<CompletableFuture<Decision>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            String limit = limit(i);
            hall.take(limit, "k" + i, 1);
            CompletableFuture<Decision> call = hall.door().acquire(List.of(one(limit, "k" + i)), ofHours(1));
            calls.add(call);
            pause(random.nextLong(20_000));
            calls.get(random.nextInt(Math.max(0, i - 100), i + 1)).cancel(true);
        }

        int gone = 0;
        for (int i = 0; i < CALLS; i++) {
            boolean goesAhead = goesAhead(calls.get(i));
            gone += goesAhead ? 1 : 0;
            assertThat(hall.taken(limit(i), "k" + i)).as("call %d", i).isEqualTo(goesAhead ? 2 : 1);
        }
        assertThat(gone).isBetween(1, CALLS - 1);
        hall.awaitWaiting(0);
        assertThat(hall.heard.decisions).hasSize(CALLS);
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void aCancellationThatMeetsTheAnswerOfTheStore(long seed) {
        hall.with(window("w", CALLS, ofHours(1)), bucket("b", CALLS, ofHours(1)));
        SplittableRandom random = new SplittableRandom(seed);
        List<Ask> both = List.of(one("w", "k"), one("b", "k"));
        try (RemoteStore remote = new RemoteStore(hall.counters)) {
            hall.over(store -> remote);
            List<CompletableFuture<Decision>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(hall.door().acquire(both, random.nextBoolean() ? null : ofHours(1)));
                pause(random.nextLong(30_000));
                calls.get(random.nextInt(Math.max(0, i - 3), i + 1)).cancel(true);
            }

            long gone = calls.stream().filter(GivingUpRaceTests::goesAhead).count();
            hall.awaitTaken("w", "k", gone);
            hall.awaitTaken("b", "k", gone);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9})
    void anInterruptionThatMeetsTheEndOfTheWait(long seed) {
        hall.with(bucket("a", 1, ofMillis(2)), paced("p", 3, ofMillis(2)));
        SplittableRandom random = new SplittableRandom(seed);
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            List<Ask> asks = List.of(one(limit(i), "k" + i));
            hall.take(limit(i), "k" + i, 1);
            callers.add(Caller.of(() -> hall.door().acquireBlocking(asks, ofHours(1))));
            pause(random.nextLong(20_000));
            callers.get(random.nextInt(Math.max(0, i - 30), i + 1)).interrupt();
        }

        int gone = 0;
        for (int i = 0; i < CALLS; i++) {
            boolean goesAhead = callers.get(i).failure() == null;
            gone += goesAhead ? 1 : 0;
            assertThat(hall.taken(limit(i), "k" + i)).as("call %d", i).isEqualTo(goesAhead ? 2 : 1);
        }
        assertThat(gone).isBetween(1, CALLS - 1);
        hall.awaitWaiting(0);
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 11, 12})
    void closingThatMeetsEverything(long seed) {
        hall.with(bucket("a", 1, ofMillis(2)), paced("p", 3, ofMillis(2)));
        SplittableRandom random = new SplittableRandom(seed);
        int closeAt = random.nextInt(CALLS / 4, CALLS / 2);
        Thread closing = new Thread(() -> hall.door().close());
        List<CompletableFuture<Decision>> calls = new ArrayList<>();
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            List<Ask> asks = List.of(one(limit(i), "k" + i));
            List<Ask> others = List.of(one(limit(i), "o" + i));
            hall.take(limit(i), "k" + i, 1);
            hall.take(limit(i), "o" + i, 1);
            if (i == closeAt) {
                closing.start();
            }
            calls.add(hall.door().acquire(asks, ofHours(1)));
            callers.add(Caller.of(() -> hall.door().acquireBlocking(others, ofHours(1))));
        }

        for (int i = 0; i < CALLS; i++) {
            assertThat(hall.taken(limit(i), "k" + i)).isEqualTo(goesAhead(calls.get(i)) ? 2 : 1);
            assertThat(callers.get(i).failure() == null ? 2L : 1L).isEqualTo(hall.taken(limit(i), "o" + i));
        }
        hall.awaitWaiting(0);
    }

    private static String limit(int call) {
        return call % 2 == 0 ? "a" : "p";
    }

    private static void pause(long nanos) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            Thread.onSpinWait();
        }
    }

    /** Waits for the outcome of a call: whether it goes ahead. */
    private static boolean goesAhead(CompletableFuture<Decision> call) {
        return call.handle((decision, failure) -> decision instanceof Allowed).join();
    }
}
