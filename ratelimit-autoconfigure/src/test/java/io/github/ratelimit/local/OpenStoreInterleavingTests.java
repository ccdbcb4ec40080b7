/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever way threads take turns that charge a key with and without its lock, their answers are those of some order. */
@Tag("interleavings")
class OpenStoreInterleavingTests {

    @Test
    void ofCallsWithAndWithoutTheLock() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .iterations(10)
                .invocationsPerIteration(100)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(ConcurrentHashMap.class.getName())
                        .allMethods()
                        .treatAsAtomic())
                .check(OneKey.class);
    }

    /** A key of which there are four permits. */
    @Param(name = "cost", gen = IntGen.class, conf = "1:3")
    public static class OneKey {

        private static final Limit LIMIT =
                Limit.named("four").permits(4).period(Duration.ofMinutes(1)).build();
        private static final Limit FEWER = LIMIT.with().permits(2).build();

        private final RateLimitStore store = new LocalRateLimitStore(() -> 1_700_000_000_000_000L, 10);

        private static Charge charge(Limit limit, int cost) {
            return Charge.of(limit, "key", cost);
        }

        /** What remains, and whether it was granted. */
        private static long told(CompletionStage<Decision> answer) {
            Decision decision = answer.toCompletableFuture().join();
            return decision instanceof Allowed allowed ? allowed.remaining() : -1 - ((Denied) decision).remaining();
        }

        @Operation
        public long acquire(@Param(name = "cost") int cost) {
            return told(store.acquire(List.of(charge(LIMIT, cost))));
        }

        @Operation
        public long acquireByOtherNumbers() {
            return told(store.acquire(List.of(charge(FEWER, 1))));
        }

        @Operation
        public long refund(@Param(name = "cost") int cost) {
            return told(store.refund(List.of(charge(LIMIT, cost))));
        }

        @Operation
        public long peek() {
            return told(store.peek(List.of(charge(LIMIT, 1))));
        }
    }
}
