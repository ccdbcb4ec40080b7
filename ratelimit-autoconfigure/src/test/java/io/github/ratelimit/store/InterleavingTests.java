/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.Breaker.Pass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever way the threads take turns, the answers are those of some order of the calls, one after the other. Lincheck plays
 * the ways.
 */
@Tag("interleavings")
class InterleavingTests {

    @Test
    void ofABreaker() {
        ways().actorsPerThread(3).check(ABreaker.class);
    }

    @Test
    void ofCallsThatShareTrips() {
        ways().actorsPerThread(2)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(LocalRateLimitStore.class.getName())
                        .allMethods()
                        .treatAsAtomic())
                .check(SharedTrips.class);
    }

    private static ModelCheckingOptions ways() {
        return new ModelCheckingOptions().threads(3).iterations(20).invocationsPerIteration(1_000);
    }

    /** A breaker; of its probes, those that nobody answers. */
    @Param(name = "pauses", gen = IntGen.class, conf = "0:3")
    public static class ABreaker {

        private final Breaker breaker = new Breaker(0, 4 * Breaker.FIRST_PAUSE_NANOS, () -> 0);

        @Operation
        public Pass pass(@Param(name = "pauses") int pauses) {
            return breaker.pass(pauses * Breaker.FIRST_PAUSE_NANOS);
        }

        @Operation
        public boolean fail(@Param(name = "pauses") int pauses) {
            return breaker.failed(Pass.FREE, pauses * Breaker.FIRST_PAUSE_NANOS, pauses * Breaker.FIRST_PAUSE_NANOS);
        }

        @Operation
        public boolean succeed() {
            return breaker.succeeded(Pass.FREE, 0);
        }
    }

    /** Calls on one key of which there are three permits. */
    @Param(name = "cost", gen = IntGen.class, conf = "1:2")
    public static class SharedTrips {

        private static final Limit LIMIT = Scene.limit("three", 3, FailurePolicy.ALLOW);

        private final RateLimitStore permits = new LocalRateLimitStore(() -> 1_700_000_000_000_000L, 10);
        private final CoalescingStore store =
                new CoalescingStore(permits, this::inTurn, charge -> false, Duration.ofSeconds(1), () -> 0);

        private CompletionStage<List<Decision>> inTurn(List<Charge> calls) {
            List<Decision> decisions = new ArrayList<>();
            for (Charge call : calls) {
                decisions.add(
                        permits.acquire(List.of(call)).toCompletableFuture().join());
            }
            return CompletableFuture.completedFuture(decisions);
        }

        @Operation
        public boolean acquire(@Param(name = "cost") int cost) {
            return store.acquire(List.of(Charge.of(LIMIT, Scene.KEY, cost)))
                    .toCompletableFuture()
                    .join()
                    .passes();
        }
    }
}
