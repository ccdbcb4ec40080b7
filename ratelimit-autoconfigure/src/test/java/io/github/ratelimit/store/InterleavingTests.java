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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
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
    void ofCallsThatShareTripsOnOneKey() {
        waysOfTrips().check(TripsOfAKey.class);
    }

    @Test
    void ofCallsThatShareTripsWithThoseOnOtherKeys() {
        waysOfTrips().check(TripsOfAllKeys.class);
    }

    @Test
    void ofCallsThatLeaveFromACarrier() {
        waysOfTrips().check(TripsFromACarrier.class);
    }

    private static ModelCheckingOptions waysOfTrips() {
        return ways().actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(1)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                ConcurrentLinkedQueue.class.getName(), LocalRateLimitStore.class.getName())
                        .allMethods()
                        .treatAsAtomic());
    }

    private static ModelCheckingOptions ways() {
        return new ModelCheckingOptions().threads(3).iterations(20).invocationsPerIteration(1_000);
    }

    /** A breaker, and callers who say what became of each pass they got. Opened from outside, it may keep one more away. */
    @Param(name = "pauses", gen = IntGen.class, conf = "0:3")
    public static class ABreaker {

        /** What becomes of a call that passed. */
        private enum Outcome {
            SUCCEEDED,
            FAILED,
            UNUSED
        }

        private static final int CALLERS = 8;

        private final AtomicInteger notClosed = new AtomicInteger();
        private final Breaker breaker = new Breaker(0, 4 * Breaker.FIRST_PAUSE_NANOS, () -> 0, notClosed);
        private final Pass[] passes = new Pass[CALLERS];
        private final long[] passedAt = new long[CALLERS];

        @Operation
        public Pass pass(@Param(gen = ThreadIdGen.class) int caller, @Param(name = "pauses") int pauses) {
            if (passes[caller] == Pass.PROBE) {
                return Pass.PROBE; // has to be settled first
            }
            passedAt[caller] = pauses * Breaker.FIRST_PAUSE_NANOS;
            passes[caller] = breaker.pass(passedAt[caller]);
            return passes[caller];
        }

        @Operation
        public boolean settle(
                @Param(gen = ThreadIdGen.class) int caller,
                @Param(gen = IntGen.class, conf = "0:2") int outcome,
                @Param(name = "pauses") int pauses) {
            Pass pass = passes[caller];
            passes[caller] = null;
            if (pass == null || pass == Pass.NONE) {
                return false;
            }
            long now = passedAt[caller] + pauses * Breaker.FIRST_PAUSE_NANOS;
            return switch (Outcome.values()[outcome]) {
                case SUCCEEDED -> breaker.succeeded(pass, now);
                case FAILED -> breaker.failed(pass, passedAt[caller], now);
                case UNUSED -> {
                    breaker.unused(pass, now);
                    yield false;
                }
            };
        }

        @Operation
        public boolean fail(@Param(name = "pauses") int pauses) {
            return breaker.failed(Pass.FREE, pauses * Breaker.FIRST_PAUSE_NANOS, pauses * Breaker.FIRST_PAUSE_NANOS);
        }

        @Operation
        public boolean keepsAway(@Param(name = "pauses") int pauses) {
            return breaker.isKeepingAway(pauses * Breaker.FIRST_PAUSE_NANOS);
        }

        /** Whether it counted itself is no part of any answer, but has to be right in the end. */
        @Validate
        public void countsItselfWhileItIsNotClosed() {
            if (notClosed.get() != (breaker.isOpen() ? 1 : 0)) {
                throw new IllegalStateException(notClosed + " are not closed");
            }
        }
    }

    /**
     * Calls on one key of which there are three permits. The store answers when somebody lets it, which every caller does
     * until nothing is under way; and as many calls as may travel alone, which cost nothing, are under way before the first.
     */
    @Param(name = "cost", gen = IntGen.class, conf = "1:2")
    public abstract static class CallsOnOneKey {

        private static final Limit LIMIT = Scene.limit("three", 3, FailurePolicy.ALLOW);

        private final RateLimitStore permits = new LocalRateLimitStore(() -> 1_700_000_000_000_000L, 10);
        private final ConcurrentLinkedQueue<Runnable> underWay = new ConcurrentLinkedQueue<>();
        private final CoalescingStore store;

        CallsOnOneKey(boolean mixes, int alone, boolean carried) {
            RateLimitStore single = new StoreInFront(permits) {
                @Override
                public CompletionStage<Decision> acquire(List<Charge> charges) {
                    return later(() -> decide(charges));
                }
            };
            Trips trips = new PlainTrips(
                    single,
                    calls -> later(() -> {
                        List<@Nullable Decision> decisions = new ArrayList<>();
                        calls.forEach(call -> decisions.add(decide(List.of(call))));
                        return decisions;
                    }),
                    carried ? new Carrier(() -> false, underWay::add) : Carrier.NONE);
            store = new CoalescingStore(single, trips, charge -> mixes, Duration.ofSeconds(1), () -> 0);
            for (int i = 0; i < alone; i++) {
                var unused = call(0);
            }
        }

        private Decision decide(List<Charge> charges) {
            return permits.acquire(charges).toCompletableFuture().join();
        }

        private <T> CompletionStage<T> later(Supplier<T> answer) {
            CompletableFuture<T> later = new CompletableFuture<>();
            underWay.add(() -> later.complete(answer.get()));
            return later;
        }

        private CompletableFuture<Decision> call(int cost) {
            return store.acquire(List.of(Charge.of(LIMIT, Scene.KEY, cost))).toCompletableFuture();
        }

        @Operation
        public boolean acquire(@Param(name = "cost") int cost) {
            CompletableFuture<Decision> call = call(cost);
            for (Runnable next = underWay.poll(); next != null; next = underWay.poll()) {
                next.run();
            }
            return call.join().passes();
        }
    }

    /** By the lane of their key, which the second caller finds. */
    public static class TripsOfAKey extends CallsOnOneKey {

        public TripsOfAKey() {
            super(false, 1 + Lane.MOST_ALONE, false);
        }
    }

    /** By the lane of all keys. */
    public static class TripsOfAllKeys extends CallsOnOneKey {

        public TripsOfAllKeys() {
            super(true, Lane.MOST_ALONE, false);
        }
    }

    /** By the lane of all keys, from where somebody has time for it. */
    public static class TripsFromACarrier extends CallsOnOneKey {

        public TripsFromACarrier() {
            super(true, 0, true);
        }
    }
}
