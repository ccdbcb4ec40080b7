/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.HeldStore.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls on many keys that share trips. */
@SuppressWarnings("FutureReturnValueIgnored") // who is under way matters here, not the answer
class CommonLaneTests {

    private static final int FEW = Lane.MOST_ALONE;
    private static final Duration TIMEOUT = Duration.ofMillis(250);
    private static final Limit FIVE = Scene.limit("five", 5, FailurePolicy.ALLOW);
    private static final Limit TWO = Scene.limit("two", 2, FailurePolicy.ALLOW);
    private static final Limit OWN_WAY = Scene.limit("own-way", 5, FailurePolicy.ALLOW);

    /** A key that is never decided beside others. */
    private static final String ODD = "odd";

    private final AtomicLong nanos = new AtomicLong();
    private final LocalRateLimitStore behind = new LocalRateLimitStore(() -> 1_700_000_000_000_000L, 1_000);
    private final HeldStore shared = new HeldStore(behind);
    private final CoalescingStore store = new CoalescingStore(
            shared,
            new PlainTrips(shared, this::inTurn),
            charge -> !charge.limit().equals(OWN_WAY),
            TIMEOUT,
            nanos::get);

    private CompletionStage<List<@Nullable Decision>> inTurn(List<Charge> calls) {
        List<Charge> even =
                calls.stream().filter(call -> !call.key().equals(ODD)).toList();
        return shared.inTurn(even).thenApply(decisions -> {
            List<@Nullable Decision> all = new ArrayList<>();
            int next = 0;
            for (Charge call : calls) {
                all.add(call.key().equals(ODD) ? null : decisions.get(next++));
            }
            return all;
        });
    }

    private CompletableFuture<Decision> call(Limit limit, String key, long cost) {
        return store.acquire(List.of(Charge.of(limit, key, cost))).toCompletableFuture();
    }

    private void few() {
        shared.is(Mode.HOLDS);
        IntStream.range(0, FEW).forEach(i -> call(FIVE, "few-" + i, 1));
    }

    private void letFewBack() {
        for (int i = 0; i < FEW - 1; i++) {
            shared.letOne();
        }
    }

    @Test
    void callsOnManyKeysAndLimitsShareATrip() {
        few();
        CompletableFuture<Decision> ann = call(FIVE, "ann", 5);
        CompletableFuture<Decision> bob = call(TWO, "bob", 3);
        CompletableFuture<Decision> annAgain = call(FIVE, "ann", 1);
        CompletableFuture<Decision> cid = call(TWO, "cid", 2);
        assertThat(shared.asked()).isEqualTo(FEW);
        letFewBack();
        assertThat(shared.batches()).containsExactly(4);
        shared.open();
        assertThat(List.of(ann, bob, annAgain, cid))
                .map(call -> call.join().passes())
                .containsExactly(true, false, false, true);
        assertThat(cid.join().limit()).isEqualTo("two");
    }

    @Test
    void otherLimitsKeepToTheirOwnKeys() {
        few();
        call(OWN_WAY, "ann", 1);
        call(OWN_WAY, "bob", 1);
        assertThat(shared.asked()).isEqualTo(FEW + 2);
        assertThat(shared.batches()).isEmpty();
        shared.open();
    }

    @Test
    void whatATripLeavesUndecidedIsAskedByItself() {
        few();
        CompletableFuture<Decision> odd = call(FIVE, ODD, 2);
        CompletableFuture<Decision> ann = call(FIVE, "ann", 1);
        letFewBack();
        shared.letOne();
        shared.letOne();
        assertThat(ann).isCompletedWithValueMatching(Decision::passes);
        assertThat(odd).isNotDone();
        shared.open();
        assertThat(odd).isCompletedWithValueMatching(Decision::passes);
        assertThat(remaining(ODD)).isEqualTo(3);
    }

    @Test
    void whatFailsByItselfFailsAlone() {
        few();
        CompletableFuture<Decision> odd = call(FIVE, ODD, 2);
        CompletableFuture<Decision> ann = call(FIVE, "ann", 1);
        letFewBack();
        shared.letOne();
        shared.letOne();
        shared.is(Mode.REFUSES).letOne();
        assertThat(ann.join().passes()).isTrue();
        assertThatThrownBy(odd::join).hasCauseInstanceOf(RateLimitStoreException.class);
        shared.open();
    }

    @Test
    void whoHasGivenUpIsNotAskedByItself() {
        few();
        CompletableFuture<Decision> odd = call(FIVE, ODD, 2);
        call(FIVE, "ann", 1);
        letFewBack();
        odd.cancel(false);
        int asked = shared.asked();
        shared.open();
        assertThat(shared.asked()).isEqualTo(asked);
        assertThat(remaining(ODD)).isEqualTo(5);
    }

    @Test
    void theLaneStays() {
        for (int i = 0; i < 3; i++) {
            assertThat(call(FIVE, "ann", 1)).isCompletedWithValueMatching(Decision::passes);
        }
        assertThat(store.lanes()).isZero();
        assertThat(store.marks()).isZero();
    }

    private long remaining(String key) {
        return ((Decision.Allowed) behind.peek(List.of(Charge.of(FIVE, key, 0)))
                        .toCompletableFuture()
                        .join())
                .remaining();
    }
}
