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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Which thread tells the callers of a trip. */
class VirtualTellingTests {

    private static final boolean THERE = Runtime.version().feature() >= 21;
    private static final Limit LIMIT = Scene.limit("orders", 100, FailurePolicy.ALLOW);

    private final HeldStore shared = new HeldStore(new LocalRateLimitStore(100));
    private final CoalescingStore store =
            new CoalescingStore(shared, new PlainTrips(shared, shared::inTurn), charge -> true, Duration.ofMinutes(1));

    private CompletableFuture<Decision> call() {
        return store.acquire(List.of(Charge.of(LIMIT, "acme", 1))).toCompletableFuture();
    }

    private boolean toldByAVirtualOne(Consumer<Runnable> caller) {
        shared.is(Mode.HOLDS);
        for (int i = 0; i < Lane.MOST_ALONE; i++) {
            var unused = call();
        }
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        CompletableFuture<Void> called = new CompletableFuture<>();
        caller.accept(() -> {
            for (int i = 0; i < 2; i++) {
                var unused = call().thenAccept(decision -> told.complete(VirtualThreads.isCurrent()));
            }
            called.complete(null);
        });
        called.orTimeout(30, TimeUnit.SECONDS).join();
        shared.open();
        assertThat(shared.batches()).contains(2);
        return told.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void virtualThreadsAreToldByOneOfThem() {
        assertThat(toldByAVirtualOne(VirtualThreads::run)).isEqualTo(THERE);
    }

    @Test
    void othersAreToldWhereTheAnswerArrives() {
        assertThat(toldByAVirtualOne(Runnable::run)).isFalse();
    }
}
