/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.HeldStore.Mode;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the model of {@link CoalescingStore} says, trip by trip. */
@SuppressWarnings("FutureReturnValueIgnored") // calls that only take a place
class CoalescingStoreTests {

    private static final Duration TIMEOUT = Duration.ofMillis(250);
    private static final Limit FIVE = Scene.limit("five", 5, FailurePolicy.ALLOW);
    private static final int FEW = 1 + Lane.MOST_ALONE;
    private static final Limit THOUSAND = Scene.limit("thousand", 1_000, FailurePolicy.ALLOW);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 99);
    private final LocalRateLimitStore behind = new LocalRateLimitStore(() -> 1_700_000_000_000_000L, 1_000);
    private final HeldStore shared = new HeldStore(behind);
    private final CoalescingStore store =
            new CoalescingStore(shared, new PlainTrips(shared, shared::inTurn), charge -> false, TIMEOUT, nanos::get);

    private CompletableFuture<Decision> call(Limit limit, String key, long cost) {
        return store.acquire(List.of(Charge.of(limit, key, cost))).toCompletableFuture();
    }

    private CompletableFuture<Decision> call(Limit limit, long cost) {
        return call(limit, Scene.KEY, cost);
    }

    private List<CompletableFuture<Decision>> calls(Limit limit, int count) {
        return IntStream.range(0, count).mapToObj(i -> call(limit, 1)).toList();
    }

    /** As many as leave at once: their costs of 0 take nothing but places. */
    private List<CompletableFuture<Decision>> few(Limit limit, String key) {
        return IntStream.range(0, FEW).mapToObj(i -> call(limit, key, 0)).toList();
    }

    private List<CompletableFuture<Decision>> few() {
        return few(FIVE, Scene.KEY);
    }

    /** Lets back all but one of those who left at once: then those who wait leave. */
    private void letFewBack() {
        for (int i = 0; i < FEW - 1; i++) {
            shared.letOne();
        }
    }

    @AfterEach
    void nothingIsLeft() {
        shared.open();
        assertThat(store.lanes()).isZero();
        assertThat(store.marks()).isZero();
    }

    @Test
    void whoeverComesAloneGoesAlone() {
        assertThat(Stages.await(call(FIVE, 2))).isEqualTo(new Allowed(FIVE, 3, 2_000_000, 0));
        assertThat(Stages.await(call(FIVE, 2))).isInstanceOf(Allowed.class);
        assertThat(shared.asked()).isEqualTo(2);
        assertThat(shared.batches()).isEmpty();
        assertThat(store.lanes()).isZero();
    }

    /** Not even a lane: that is for those who find somebody. */
    @Test
    void whoeverIsAloneLeavesAMarkAndNoLane() {
        shared.is(Mode.HOLDS);
        call(FIVE, 1);
        assertThat(store.lanes()).isZero();
        assertThat(store.marks()).isOne();
        call(FIVE, "bob", 1);
        assertThat(store.lanes()).isZero();
        call(FIVE, 1);
        assertThat(store.lanes()).isOne();
    }

    @Test
    void aFewLeaveAtOnceAndWhoeverComesThenSharesATrip() {
        shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> few = few();
        CompletableFuture<Decision> c = call(FIVE, 3);
        CompletableFuture<Decision> d = call(FIVE, 7);
        CompletableFuture<Decision> e = call(FIVE, 2);
        assertThat(shared.asked()).isEqualTo(FEW);
        for (int i = 0; i < FEW - 2; i++) {
            shared.letOne();
            assertThat(few.get(i)).isCompletedWithValueMatching(Decision::passes);
            assertThat(shared.asked()).as("others are under way").isEqualTo(FEW);
        }
        shared.letOne();
        assertThat(shared.asked()).isEqualTo(FEW + 1);
        assertThat(shared.batches()).containsExactly(3);
        shared.letOne();
        shared.letOne();
        assertThat(c.join()).isEqualTo(new Allowed(FIVE, 2, 3_000_000, 0));
        assertThat(d.join()).isInstanceOf(Denied.class);
        assertThat(e.join()).isEqualTo(new Allowed(FIVE, 0, 5_000_000, 0));
        assertThat(store.lanes()).isZero();
    }

    /** Else large trips and trips of one call would take turns. */
    @Test
    void aSecondTripIsNotSmallerThanTheFirst() {
        shared.is(Mode.HOLDS);
        few();
        calls(THOUSAND, FEW + 20);
        for (int i = 0; i < 2 * FEW - 1; i++) {
            shared.letOne();
        }
        assertThat(shared.batches()).containsExactly(20);
        shared.letOne();
        calls(THOUSAND, 19);
        assertThat(shared.batches()).containsExactly(20);
        calls(THOUSAND, 1);
        assertThat(shared.batches()).containsExactly(20, 20);
        calls(THOUSAND, 50);
        assertThat(shared.batches()).as("a third").containsExactly(20, 20);
        shared.letOne();
        assertThat(shared.batches()).containsExactly(20, 20, 50);
        calls(THOUSAND, 3);
        shared.letOne();
        assertThat(shared.batches()).containsExactly(20, 20, 50);
        shared.letOne();
        assertThat(shared.batches()).as("nobody is under way").containsExactly(20, 20, 50, 3);
    }

    @Test
    void permitsGoToThoseWhoCameFirst() {
        shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = calls(FIVE, FEW + 4);
        for (int i = 0; i < FEW + 1; i++) {
            shared.letOne();
        }
        assertThat(all)
                .map(call -> call.join().passes())
                .containsExactly(true, true, true, true, true, false, false, false, false);
    }

    @Test
    void theNextTripLeavesBeforeTheCallersOfTheLastGoOn() {
        shared.is(Mode.HOLDS);
        List<Integer> askedWhenTold = new ArrayList<>();
        List<CompletableFuture<Decision>> few = few();
        few.get(FEW - 2).thenRun(() -> askedWhenTold.add(shared.asked()));
        calls(FIVE, 2);
        letFewBack();
        assertThat(askedWhenTold).containsExactly(FEW + 1);
    }

    /** A trip that is back at once is no company to wait for. */
    @Test
    void whoAsksAgainWhereItIsToldWaitsForNobodyOfItsTrip() {
        shared.is(Mode.HOLDS);
        few(THOUSAND, Scene.KEY);
        List<CompletableFuture<Decision>> together = calls(THOUSAND, FEW);
        CompletableFuture<Decision> again = together.get(0)
                .thenApply(first ->
                        call(THOUSAND, 1).orTimeout(5, TimeUnit.SECONDS).join());
        shared.is(Mode.ANSWERS);
        letFewBack();
        assertThat(shared.batches()).containsExactly(FEW);
        assertThat(again).isCompletedWithValueMatching(Decision::passes);
        assertThat(together).allMatch(CompletableFuture::isDone);
    }

    @Test
    void whoWaitedForATripThatIsBackAtOnceIsSentBeforeItsCallersGoOn() {
        shared.is(Mode.HOLDS);
        List<Integer> askedWhenTold = new ArrayList<>();
        few(THOUSAND, Scene.KEY);
        List<CompletableFuture<Decision>> calls = calls(THOUSAND, Lane.LARGEST_BATCH + 7);
        calls.get(0).thenRun(() -> askedWhenTold.add(shared.batches().size()));
        shared.is(Mode.ANSWERS);
        letFewBack();
        assertThat(askedWhenTold).containsExactly(2);
        assertThat(calls).allMatch(CompletableFuture::isDone);
    }

    @Test
    void nobodySharesWithOthers() {
        shared.is(Mode.HOLDS);
        few();
        calls(FIVE, 1);
        assertThat(shared.asked()).isEqualTo(FEW);
        call(FIVE, "bob", 1);
        call(Scene.limit("five", 6, FailurePolicy.ALLOW), 1);
        store.acquire(List.of(Charge.of(FIVE, Scene.KEY, 1).waiting(1)));
        store.acquire(List.of(Charge.of(FIVE, Scene.KEY, 1), Charge.of(THOUSAND, Scene.KEY, 1)));
        assertThat(shared.asked()).isEqualTo(FEW + 4);
        assertThat(shared.batches()).isEmpty();
    }

    /** Names that a table cannot tell apart at first sight. */
    @Test
    void nobodySharesWithAnotherOfTheSameHash() {
        assertThat("Aa").hasSameHashCodeAs("BB");
        shared.is(Mode.HOLDS);
        few(FIVE, "Aa");
        List<CompletableFuture<Decision>> others = few(FIVE, "BB").subList(1, FEW);
        assertThat(shared.asked()).as("one less: the mark was taken").isEqualTo(2 * FEW - 1);
        shared.open();
        assertThat(others).allMatch(call -> call.join().passes());
        assertThat(shared.batches()).isEmpty();
    }

    @Test
    void aLaneIsOfOneLimitAndOneKey() {
        Limit six = Scene.limit("five", 6, FailurePolicy.ALLOW);
        assertThat(new Lane(FIVE, "a", 1)).isEqualTo(new Lane(FIVE, "a", 2)).hasSameHashCodeAs(new Lane(FIVE, "a", 2));
        assertThat(new Lane(FIVE, "a", 1)).isNotEqualTo(new Lane(FIVE, "b", 1)).isNotEqualTo(new Lane(six, "a", 1));
    }

    @Test
    void aLaneStaysWhileOneIsUnderWay() {
        shared.is(Mode.HOLDS);
        few();
        letFewBack();
        assertThat(store.lanes()).isOne();
        calls(FIVE, 2);
        assertThat(shared.asked()).isEqualTo(FEW + 2);
        shared.open();
        assertThat(store.lanes()).isZero();
    }

    @Test
    void aTripThatFailsFailsForAllItsCallsAndNoOthers() {
        shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> few = few();
        List<CompletableFuture<Decision>> waiting = calls(FIVE, 3);
        letFewBack();
        shared.letOne();
        shared.is(Mode.REFUSES).letOne();
        assertThat(few).allMatch(call -> call.join().passes());
        for (CompletableFuture<Decision> call : waiting) {
            assertThatThrownBy(call::join).hasCauseInstanceOf(RateLimitStoreException.class);
        }
        assertThat(store.lanes()).isZero();
        shared.open();
        assertThat(Stages.await(call(FIVE, 3)).passes()).isTrue();
    }

    @Test
    void aCallAloneThatFailsLeavesNoMark() {
        shared.is(Mode.REFUSES);
        assertThatThrownBy(call(FIVE, 1)::join).hasCauseInstanceOf(RateLimitStoreException.class);
        assertThat(store.marks()).isZero();
    }

    @Test
    void whatTheStoreThrowsIsAFailureToo() {
        shared.is(Mode.THROWS);
        assertThat(calls(FIVE, 3)).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(store.lanes()).isZero();
    }

    @Test
    void whoHasGivenUpIsNotSent() {
        shared.is(Mode.HOLDS);
        few();
        List<CompletableFuture<Decision>> waiting = calls(FIVE, 3);
        waiting.get(1).cancel(false);
        shared.open();
        assertThat(shared.batches()).containsExactly(2);
        assertThat(Scene.remaining(behind, FIVE)).isEqualTo(3);
    }

    @Test
    void whoGivesUpOnTheWayGetsItBack() {
        shared.is(Mode.HOLDS);
        few();
        List<CompletableFuture<Decision>> waiting = calls(FIVE, 3);
        letFewBack();
        waiting.get(1).cancel(false);
        shared.open();
        assertThat(waiting.get(2).join().passes()).isTrue();
        assertThat(Scene.remaining(behind, FIVE)).isEqualTo(3);
    }

    @Test
    void whoGivesUpOnTheWayAloneGetsItBack() {
        shared.is(Mode.HOLDS);
        call(FIVE, 2).cancel(false);
        shared.open();
        assertThat(Scene.remaining(behind, FIVE)).isEqualTo(5);
        assertThat(shared.givenBack()).isOne();
    }

    /** A refund, a reset and other numbers between the calls: nobody's answer is another's, and all add up. */
    @Test
    void whatIsGivenBackMeanwhileIsThere() {
        shared.is(Mode.HOLDS);
        few();
        List<CompletableFuture<Decision>> before = calls(FIVE, 3);
        letFewBack();
        shared.letOne();
        CompletableFuture<Decision> refund =
                store.refund(List.of(Charge.of(FIVE, Scene.KEY, 2))).toCompletableFuture();
        List<CompletableFuture<Decision>> after = List.of(call(FIVE, 2), call(FIVE, 2), call(FIVE, 1));
        shared.open();
        assertThat(before).allMatch(call -> call.join().passes());
        assertThat(refund).isCompletedWithValueMatching(Decision::passes);
        assertThat(after).map(call -> call.join().passes()).containsExactly(true, true, false);
        assertThat(Scene.remaining(behind, FIVE)).isZero();
        shared.is(Mode.HOLDS);
        few();
        List<CompletableFuture<Decision>> spent = calls(FIVE, 2);
        CompletableFuture<Void> reset = store.reset(FIVE, Scene.KEY).toCompletableFuture();
        List<CompletableFuture<Decision>> more = calls(Scene.limit("five", 7, FailurePolicy.ALLOW), 6);
        shared.open();
        assertThat(reset).isCompleted();
        long granted = Stream.concat(spent.stream(), more.stream())
                .filter(call -> call.join().passes())
                .count();
        assertThat(Scene.remaining(behind, FIVE)).isEqualTo(Math.max(0, 5 - granted));
        assertThat(granted).isBetween(5L, 8L);
    }

    /** Whose deadline is near must not make the others' near, too. */
    @Test
    void whoHasWaitedForLongTravelsApart() {
        shared.is(Mode.HOLDS);
        few();
        calls(FIVE, Lane.MOST_ALONE - 1);
        nanos.addAndGet(TIMEOUT.toNanos() / 2);
        calls(FIVE, 1);
        nanos.addAndGet(1);
        calls(FIVE, 2);
        letFewBack();
        assertThat(shared.batches()).as("of the age of half the time-out").containsExactly(Lane.MOST_ALONE - 1);
        shared.letOne();
        assertThat(shared.batches()).containsExactly(Lane.MOST_ALONE - 1, 3);
        shared.open();
        assertThat(Scene.remaining(behind, FIVE)).isZero();
    }

    @Test
    void theOthersLeaveAtOnceWhileFewAreUnderWay() {
        shared.is(Mode.HOLDS);
        few();
        calls(FIVE, Lane.MOST_ALONE - 2);
        nanos.addAndGet(TIMEOUT.toNanos() / 2 + 1);
        calls(FIVE, 3);
        letFewBack();
        assertThat(shared.batches()).containsExactly(Lane.MOST_ALONE - 2, 3);
        shared.open();
    }

    @Test
    void aTripHasALargestSize() {
        shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = calls(THOUSAND, FEW + Lane.LARGEST_BATCH + 7);
        shared.open();
        assertThat(shared.batches()).containsExactly(Lane.LARGEST_BATCH, 7);
        assertThat(all).allMatch(call -> call.join().passes());
    }

    /** A lane that one caller made may be used, and closed, by others before that caller enters it. */
    @Test
    void whoFindsTheLaneClosedTakesAnother() throws Exception {
        int calls = 30_000;
        CoalescingStore quick = new CoalescingStore(
                behind, new PlainTrips(behind, shared::inTurn), charge -> false, Duration.ofMinutes(5));
        LongAdder answered = new LongAdder();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread caller = new Thread(() -> {
                for (int call = 0; call < calls; call++) {
                    Stages.await(quick.acquire(List.of(Charge.of(FIVE, Scene.KEY, 1))));
                    answered.increment();
                }
            });
            caller.setDaemon(true);
            caller.start();
            callers.add(caller);
        }
        for (Thread caller : callers) {
            caller.join(Duration.ofSeconds(30).toMillis());
        }
        assertThat(answered.sum()).isEqualTo(4L * calls);
    }
}
