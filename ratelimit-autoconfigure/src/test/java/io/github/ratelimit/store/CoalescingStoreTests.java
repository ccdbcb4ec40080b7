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
import io.github.ratelimit.Decision.Uncounted;
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
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the model of {@link CoalescingStore} says, trip by trip. */
@SuppressWarnings("FutureReturnValueIgnored") // calls that only take a place
class CoalescingStoreTests {

    private static final Duration TIMEOUT = Duration.ofMillis(250);
    private static final Limit FIVE = Scene.limit("five", 5, FailurePolicy.ALLOW);
    private static final Limit THOUSAND = Scene.limit("thousand", 1_000, FailurePolicy.ALLOW);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 99);
    private final LocalRateLimitStore behind = new LocalRateLimitStore(() -> 1_700_000_000_000_000L, 1_000);
    private final HeldStore shared = new HeldStore(behind);
    private final CoalescingStore store = new CoalescingStore(shared, shared::inTurn, TIMEOUT, nanos::get);

    private CompletableFuture<Decision> call(Limit limit, String key, long cost) {
        return store.acquire(List.of(Charge.of(limit, key, cost))).toCompletableFuture();
    }

    private CompletableFuture<Decision> call(Limit limit, long cost) {
        return call(limit, Scene.KEY, cost);
    }

    private List<CompletableFuture<Decision>> calls(Limit limit, int count) {
        return IntStream.range(0, count).mapToObj(i -> call(limit, 1)).toList();
    }

    @Test
    void whoeverComesAloneGoesAlone() {
        assertThat(Stages.await(call(FIVE, 2))).isEqualTo(new Allowed(FIVE, 3, 2_000_000, 0));
        assertThat(Stages.await(call(FIVE, 2))).isInstanceOf(Allowed.class);
        assertThat(shared.asked()).isEqualTo(2);
        assertThat(shared.batches()).isEmpty();
        assertThat(store.lanes()).isZero();
    }

    @Test
    void whoeverComesWhileTwoAreUnderWaySharesTheNextTrip() {
        shared.is(Mode.HOLDS);
        CompletableFuture<Decision> a = call(FIVE, 1);
        CompletableFuture<Decision> b = call(FIVE, 1);
        CompletableFuture<Decision> c = call(FIVE, 1);
        CompletableFuture<Decision> d = call(FIVE, 7);
        CompletableFuture<Decision> e = call(FIVE, 2);
        assertThat(shared.asked()).isEqualTo(2);
        shared.letOne();
        assertThat(a).isCompletedWithValueMatching(Decision::passes);
        assertThat(shared.asked()).isEqualTo(3);
        assertThat(shared.batches()).containsExactly(3);
        shared.letOne();
        assertThat(b).isCompletedWithValueMatching(Decision::passes);
        assertThat(shared.asked()).isEqualTo(3);
        shared.letOne();
        assertThat(c.join()).isEqualTo(new Allowed(FIVE, 2, 3_000_000, 0));
        assertThat(d.join()).isInstanceOf(Denied.class);
        assertThat(e.join()).isEqualTo(new Allowed(FIVE, 0, 5_000_000, 0));
        assertThat(store.lanes()).isZero();
    }

    @Test
    void permitsGoToThoseWhoCameFirst() {
        shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = calls(FIVE, 9);
        shared.letOne();
        shared.letOne();
        shared.letOne();
        assertThat(all)
                .map(call -> call.join().passes())
                .containsExactly(true, true, true, true, true, false, false, false, false);
    }

    @Test
    void theNextTripLeavesBeforeTheCallersOfTheLastGoOn() {
        shared.is(Mode.HOLDS);
        List<Integer> askedWhenTold = new ArrayList<>();
        call(FIVE, 1).thenRun(() -> askedWhenTold.add(shared.asked()));
        calls(FIVE, 3);
        shared.letOne();
        assertThat(askedWhenTold).containsExactly(3);
    }

    @Test
    void nobodySharesWithOthers() {
        shared.is(Mode.HOLDS);
        calls(FIVE, 3);
        assertThat(shared.asked()).isEqualTo(2);
        call(FIVE, "bob", 1);
        call(Scene.limit("five", 6, FailurePolicy.ALLOW), 1);
        store.acquire(List.of(Charge.of(FIVE, Scene.KEY, 1).waiting(1)));
        store.acquire(List.of(Charge.of(FIVE, Scene.KEY, 1), Charge.of(THOUSAND, Scene.KEY, 1)));
        assertThat(shared.asked()).isEqualTo(6);
        assertThat(shared.batches()).isEmpty();
    }

    /** Names that a table cannot tell apart at first sight. */
    @Test
    void nobodySharesWithAnotherOfTheSameHash() {
        assertThat("Aa").hasSameHashCodeAs("BB");
        shared.is(Mode.HOLDS);
        calls(FIVE, 2);
        call(FIVE, "Aa", 1);
        call(FIVE, "Aa", 1);
        call(FIVE, "BB", 1);
        assertThat(shared.asked()).isEqualTo(5);
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
        calls(FIVE, 2);
        shared.letOne();
        calls(FIVE, 2);
        assertThat(shared.asked()).isEqualTo(3);
        shared.open();
        assertThat(store.lanes()).isZero();
    }

    @Test
    void aTripThatFailsFailsForAllItsCallsAndNoOthers() {
        shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = calls(FIVE, 5);
        shared.letOne();
        shared.letOne();
        shared.is(Mode.REFUSES).letOne();
        assertThat(all.subList(0, 2)).allMatch(call -> call.join().passes());
        for (CompletableFuture<Decision> call : all.subList(2, 5)) {
            assertThatThrownBy(call::join).hasCauseInstanceOf(RateLimitStoreException.class);
        }
        assertThat(store.lanes()).isZero();
        shared.open();
        assertThat(Stages.await(call(FIVE, 3)).passes()).isTrue();
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
        List<CompletableFuture<Decision>> all = calls(FIVE, 5);
        all.get(3).cancel(false);
        shared.letOne();
        shared.letOne();
        shared.letOne();
        assertThat(shared.batches()).containsExactly(2);
        assertThat(Scene.remaining(behind, FIVE)).isEqualTo(1);
    }

    @Test
    void whoGivesUpOnTheWayGetsItBack() {
        shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = calls(FIVE, 4);
        shared.letOne();
        all.get(2).cancel(false);
        shared.open();
        assertThat(all.get(3).join().passes()).isTrue();
        assertThat(Scene.remaining(behind, FIVE)).isEqualTo(2);
    }

    @Test
    void whoHasWaitedTooLongIsToldSoAndNotSent() {
        shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> early = calls(FIVE, 3);
        nanos.addAndGet(TIMEOUT.toNanos());
        CompletableFuture<Decision> inTime = call(FIVE, 1);
        nanos.addAndGet(1);
        shared.letOne();
        shared.letOne();
        assertThatThrownBy(early.get(2)::join).hasCauseInstanceOf(TimeoutException.class);
        shared.letOne();
        assertThat(inTime.join().passes()).isTrue();
        assertThat(Scene.remaining(behind, FIVE)).isEqualTo(2);
        assertThat(store.lanes()).isZero();
    }

    @Test
    void wherePlacesAreTakenForTooLongTheNextGoesWithAllWhoWait() {
        shared.is(Mode.HOLDS);
        calls(FIVE, 2);
        nanos.addAndGet(TIMEOUT.toNanos() / 2);
        calls(FIVE, 1);
        nanos.addAndGet(TIMEOUT.toNanos() / 2 + 1);
        calls(FIVE, 1);
        assertThat(shared.batches()).containsExactly(2);
        calls(FIVE, 1);
        assertThat(shared.asked()).as("one trip each time-out").isEqualTo(3);
        shared.open();
        assertThat(store.lanes()).isZero();
        assertThat(Scene.remaining(behind, FIVE)).isZero();
    }

    @Test
    void aTripHasALargestSize() {
        shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = calls(THOUSAND, 2 + Lane.LARGEST_BATCH + 7);
        shared.open();
        assertThat(shared.batches()).containsExactly(Lane.LARGEST_BATCH, 7);
        assertThat(all).allMatch(call -> call.join().passes());
        assertThat(store.lanes()).isZero();
    }

    @Test
    void everyCallerHasItsOwnDeadline() {
        AtomicLong clock = nanos;
        SteadfastStore steadfast = new SteadfastStore(
                Remote.whole(store), new LocalRateLimitStore(10), TIMEOUT, 1, StoreHealth.NONE, clock::get, () -> 0);
        shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(steadfast.acquire(List.of(Charge.of(FIVE, Scene.KEY, 1))).toCompletableFuture());
            clock.addAndGet(TIMEOUT.toNanos() / 8);
        }
        clock.addAndGet(TIMEOUT.toNanos() / 2);
        steadfast.ring();
        assertThat(all.get(0).join()).isInstanceOf(Uncounted.class);
        assertThat(all.get(3)).isNotDone();
        shared.open();
        assertThat(all.get(3).join()).isInstanceOf(Allowed.class);
        assertThat(Scene.remaining(behind, FIVE)).as("the first was given back").isEqualTo(2);
    }

    /** A lane that one caller made may be used, and closed, by others before that caller enters it. */
    @Test
    void whoFindsTheLaneClosedTakesAnother() throws Exception {
        int calls = 30_000;
        CoalescingStore quick = new CoalescingStore(behind, shared::inTurn, Duration.ofMinutes(5));
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
