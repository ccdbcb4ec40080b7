/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.VirtualThreads;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.HeldStore.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which thread tells the callers of a trip. */
class VirtualTellingTests {

    /** Before Java 24 they may keep the threads that carry them. */
    private static final boolean MAY_TELL = Runtime.version().feature() >= 24;

    private static final Limit LIMIT = Scene.limit("orders", 100, FailurePolicy.ALLOW);

    private final HeldStore shared = new HeldStore(new LocalRateLimitStore(100));
    private final CoalescingStore store =
            new CoalescingStore(shared, new PlainTrips(shared, shared::inTurn), charge -> true, Duration.ofMinutes(1));

    private CompletableFuture<Decision> call() {
        return store.acquire(List.of(Charge.of(LIMIT, Scene.KEY, 1))).toCompletableFuture();
    }

    /** Two calls that share a trip, each made by another: whether a virtual thread tells either. */
    private List<Boolean> toldByAVirtualOne(Consumer<Runnable> one, Consumer<Runnable> other) {
        shared.is(Mode.HOLDS);
        for (int i = 0; i < Lane.MOST_ALONE; i++) {
            var unused = call();
        }
        List<CompletableFuture<Boolean>> told = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        for (int i = 0; i < 2; i++) {
            CompletableFuture<Boolean> mine = told.get(i);
            CompletableFuture<Void> called = new CompletableFuture<>();
            (i == 0 ? one : other).accept(() -> {
                var unused = call().thenAccept(decision -> mine.complete(VirtualThreads.isCurrent()));
                called.complete(null);
            });
            called.orTimeout(30, TimeUnit.SECONDS).join();
        }
        shared.open();
        assertThat(shared.batches()).contains(2);
        return told.stream()
                .map(mine -> mine.orTimeout(30, TimeUnit.SECONDS).join())
                .toList();
    }

    @Test
    void virtualThreadsAreToldByOneOfThem() {
        assertThat(toldByAVirtualOne(VirtualThreads::run, VirtualThreads::run)).containsExactly(MAY_TELL, MAY_TELL);
    }

    @Test
    void othersAreToldWhereTheAnswerArrives() {
        assertThat(toldByAVirtualOne(Runnable::run, Runnable::run)).containsExactly(false, false);
        assertThat(toldByAVirtualOne(VirtualThreads::run, Runnable::run)).containsExactly(MAY_TELL, false);
        assertThat(toldByAVirtualOne(Runnable::run, VirtualThreads::run)).containsExactly(false, MAY_TELL);
    }

    /** All threads that carry virtual ones are kept, so that the one who is to tell the others, where there is one, never gets its turn. */
    @Test
    void whoIsNotToldByAVirtualThreadIsToldInTime() {
        Scene scene = new Scene();
        CoalescingStore inTime =
                new CoalescingStore(scene.store, scene.store.trips(), charge -> true, Scene.TIMEOUT, scene.nanos::get);
        scene.shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> calls = Stream.generate(() -> callOnAVirtualThread(inTime))
                .limit(Lane.MOST_ALONE + 2)
                .toList();
        int carriers = MAY_TELL ? Runtime.getRuntime().availableProcessors() : 0;
        CountDownLatch kept = new CountDownLatch(carriers);
        AtomicBoolean end = new AtomicBoolean();
        try {
            for (int i = 0; i < carriers; i++) {
                VirtualThreads.run(() -> keep(kept, end));
            }
            awaitHere(kept);
            scene.shared.open();
            assertThat(scene.shared.batches()).containsExactly(2);
            scene.pass(Scene.TIMEOUT);
            assertThat(calls).allMatch(CompletableFuture::isDone);
        } finally {
            end.set(true);
        }
    }

    private static void keep(CountDownLatch kept, AtomicBoolean end) {
        kept.countDown();
        while (!end.get()) {
            Thread.onSpinWait();
        }
    }

    private static CompletableFuture<Decision> callOnAVirtualThread(CoalescingStore store) {
        AtomicReference<@Nullable CompletionStage<Decision>> call = new AtomicReference<>();
        CountDownLatch called = new CountDownLatch(1);
        VirtualThreads.run(() -> {
            call.set(store.acquire(List.of(Charge.of(LIMIT, Scene.KEY, 1))));
            called.countDown();
        });
        awaitHere(called);
        return Objects.requireNonNull(call.get()).toCompletableFuture();
    }

    private static void awaitHere(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
