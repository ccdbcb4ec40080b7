/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static io.github.ratelimit.store.Scene.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.HeldStore.Mode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What follows an answer that came from the deadline may keep the thread that told it: others are answered nevertheless. */
class KeptThreadsTests {

    private static final Limit LIMIT = Scene.limit("orders", 100, FailurePolicy.ALLOW);
    private static final Duration SOON = Duration.ofMillis(50);

    private final HeldStore shared = new HeldStore(new LocalRateLimitStore(100)).is(Mode.HOLDS);
    private final SteadfastStore store = new SteadfastStore(
            Remote.whole(shared, shared::inTurn, Carrier.NONE),
            new LocalRateLimitStore(100),
            SOON,
            1,
            StoreHealth.NONE);

    @AfterEach
    void close() {
        store.close();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
    }

    private static Decision blocking(RateLimitStore store) {
        try {
            return store.acquireBlocking(List.of(Charge.of(LIMIT, KEY, 1)), late -> {});
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitHere(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whoAsksAgainThereAndWaitsIsAnswered() {
        CompletionStage<Decision> second =
                store.acquireUpTo(Charge.of(LIMIT, KEY, 3)).thenApply(granted -> blocking(store));
        assertThat(answer(second)).isInstanceOf(Uncounted.class);
    }

    @Test
    void whoKeepsItKeepsNobodyElseWaiting() {
        CountDownLatch end = new CountDownLatch(1);
        try {
            for (int kept = 0; kept < Breaker.FAILURES_TO_OPEN - 1; kept++) {
                CompletableFuture<Void> reached = new CompletableFuture<>();
                var unused = store.acquire(List.of(Charge.of(LIMIT, KEY, 1))).thenAccept(decision -> {
                    reached.complete(null);
                    awaitHere(end);
                });
                answer(reached);
            }
            assertThat(store.isAway()).isFalse();
            assertThat(answer(store.acquire(List.of(Charge.of(LIMIT, KEY, 1))))).isInstanceOf(Uncounted.class);
        } finally {
            end.countDown();
        }
    }

    /** Of two trips that are back at once, a caller of the first keeps the thread that would tell those of the second. */
    @Test
    void whoKeepsItAtOnceKeepsNoOtherTripWaiting() throws InterruptedException {
        Duration timeout = Duration.ofSeconds(1);
        Duration oldAge = Duration.ofMillis(200);
        try (SteadfastStore patient = new SteadfastStore(
                Remote.whole(shared, shared::inTurn, Carrier.NONE),
                new LocalRateLimitStore(100),
                timeout,
                1,
                StoreHealth.NONE)) {
            CoalescingStore lanes =
                    new CoalescingStore(patient, patient.trips(), charge -> true, oldAge.multipliedBy(2));
            for (int i = 0; i < 2 * Lane.MOST_ALONE; i++) {
                var unused = call(lanes);
            }
            for (int i = 0; i < Lane.MOST_ALONE; i++) {
                shared.letOne();
            }
            CompletableFuture<Decision> old = call(lanes);
            Thread.sleep(oldAge.toMillis());
            CompletableFuture<Decision> young = call(lanes);
            CompletableFuture<Decision> kept = old.thenApply(first -> answer(young));
            shared.is(Mode.ANSWERS);
            shared.letOne();
            assertThat(shared.batches()).containsExactly(Lane.MOST_ALONE);
            assertThat(kept).isCompletedWithValueMatching(Decision::passes);
        }
    }

    private static CompletableFuture<Decision> call(RateLimitStore store) {
        return store.acquire(List.of(Charge.of(LIMIT, KEY, 0))).toCompletableFuture();
    }
}
