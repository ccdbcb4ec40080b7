/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static io.github.ratelimit.store.Scene.KEY;
import static io.github.ratelimit.store.Scene.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.store.HeldStore.Mode;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls that share trips to a store which may not answer: nobody waits longer than a decision may take. */
class TripsInTimeTests {

    private static final Limit LIMIT = Scene.limit("orders", 1_000, FailurePolicy.ALLOW);
    private static final int FEW = Lane.MOST_ALONE;
    private static final Duration EIGHTH = TIMEOUT.dividedBy(8);

    private final Scene scene = new Scene();
    private final CoalescingStore store =
            new CoalescingStore(scene.store, scene.store.trips(), charge -> true, TIMEOUT, scene.nanos::get);

    private CompletableFuture<Decision> call(String key) {
        return store.acquire(List.of(Charge.of(LIMIT, key, 1))).toCompletableFuture();
    }

    private List<CompletableFuture<Decision>> calls(int count) {
        return IntStream.range(0, count).mapToObj(i -> call(KEY)).toList();
    }

    /** One after the other, each as it comes. */
    @Test
    void whoWaitsForAPlaceIsAnsweredByItsOwnTime() {
        scene.shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = new ArrayList<>();
        for (int i = 0; i < FEW + 4; i++) {
            all.add(call(KEY));
            scene.pass(EIGHTH);
        }
        assertThat(scene.shared.asked()).isEqualTo(FEW);
        for (CompletableFuture<Decision> call : all) {
            assertThat(call.join()).isInstanceOf(Uncounted.class);
            scene.pass(EIGHTH);
        }
    }

    @Test
    void soAreThoseWhoLeftTogetherByThatOfTheOldest() {
        scene.shared.is(Mode.HOLDS);
        calls(FEW);
        List<CompletableFuture<Decision>> together = calls(3);
        scene.pass(EIGHTH.multipliedBy(3));
        letFewBack();
        scene.shared.letOne();
        assertThat(scene.shared.batches()).containsExactly(3);
        scene.pass(EIGHTH.multipliedBy(5));
        assertThat(together).allMatch(call -> call.join() instanceof Uncounted);
    }

    @Test
    void aTripThatIsNotAnsweredFailsEachOfItsCalls() {
        scene.shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> few = calls(FEW);
        List<CompletableFuture<Decision>> together = calls(7);
        letFewBack();
        assertThat(scene.shared.batches()).containsExactly(7);
        scene.shared.letOne();
        assertThat(few).allMatch(call -> call.join() instanceof Allowed);
        scene.pass(TIMEOUT);
        assertThat(together).allMatch(call -> call.join() instanceof Uncounted);
        assertThat(scene.heard.stream().filter("timeout"::equals)).hasSize(7);
        assertThat(scene.store.isAway()).isTrue();
    }

    @Test
    void whatATripChargedTooLateIsGivenBackToEach() {
        scene.shared.is(Mode.HOLDS);
        calls(FEW);
        List<CompletableFuture<Decision>> together = calls(5);
        letFewBack();
        scene.shared.letOne();
        scene.pass(TIMEOUT);
        assertThat(together).allMatch(CompletableFuture::isDone);
        scene.shared.open();
        assertThat(scene.shared.givenBack()).isEqualTo(5);
        assertThat(scene.left(LIMIT)).isEqualTo(1_000 - FEW);
    }

    @Test
    void whoHasWaitedTooLongIsNotSent() {
        scene.shared.is(Mode.HOLDS);
        calls(FEW);
        CompletableFuture<Decision> late = call(KEY);
        scene.nanos.addAndGet(TIMEOUT.toNanos());
        letFewBack();
        assertThat(late.join()).isInstanceOf(Uncounted.class);
        assertThat(scene.shared.asked()).isEqualTo(FEW);
        assertThat(scene.heard).containsExactly("timeout");
    }

    /** The store is slow, and answers before the younger have waited too long. */
    @Test
    void theHasteOfTheOldIsNotThatOfTheYoung() {
        scene.shared.is(Mode.HOLDS);
        calls(FEW);
        CompletableFuture<Decision> old = call(KEY);
        scene.pass(EIGHTH.multipliedBy(6));
        CompletableFuture<Decision> young = call(KEY);
        letFewBack();
        scene.shared.letOne();
        scene.pass(EIGHTH.multipliedBy(2));
        assertThat(old.join()).isInstanceOf(Uncounted.class);
        assertThat(young).isNotDone();
        scene.shared.open();
        assertThat(young.join()).isInstanceOf(Allowed.class);
    }

    @Test
    void whileTheStoreIsAwayOneCallAtMostWaitsForIt() {
        scene.goAway().pass(Duration.ofMillis(100));
        scene.shared.is(Mode.HOLDS);
        int asked = scene.shared.asked();
        List<CompletableFuture<Decision>> all = calls(20);
        assertThat(scene.shared.asked()).isEqualTo(asked + 1);
        assertThat(all.stream().filter(call -> !call.isDone())).hasSize(1);
        List<Charge> together =
                IntStream.range(0, 20).mapToObj(i -> Charge.of(LIMIT, KEY, 1)).toList();
        assertThat(scene.store.trips().together(together, scene.nanos.get()).toCompletableFuture())
                .as("each is to go alone")
                .isCompletedWithValueMatching(decisions -> decisions.stream().allMatch(one -> one == null));
    }

    @Test
    void inAnOutageNobodyWaitsBehindOthers() {
        scene.shared.is(Mode.HOLDS);
        calls(FEW + 10);
        scene.pass(TIMEOUT);
        Queue<String> heard = scene.heard;
        assertThat(heard).contains("away: timeout");
        assertThat(calls(50)).allMatch(call -> call.join() instanceof Uncounted);
    }

    /** Its own callers may have to wait to the end, for it may still be answered. Nobody else. */
    @Test
    void nobodyWaitsForATripThatHangsOnceTheStoreIsAway() {
        scene.shared.is(Mode.HOLDS);
        calls(FEW);
        calls(10);
        letFewBack();
        scene.shared.letOne();
        scene.pass(EIGHTH.multipliedBy(4));
        List<CompletableFuture<Decision>> hanging = calls(10);
        assertThat(scene.shared.batches()).containsExactly(10, 10);
        scene.pass(EIGHTH.multipliedBy(4));
        assertThat(scene.heard).contains("away: timeout");
        assertThat(calls(5)).allMatch(CompletableFuture::isDone);
        assertThat(hanging).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void whoComesFirstIsToldBeforeAllWhoWaitedBehind() {
        scene.shared.is(Mode.HOLDS);
        calls(FEW);
        CompletableFuture<Decision> first = calls(5).get(0);
        letFewBack();
        scene.shared.letOne();
        calls(5);
        List<CompletableFuture<Decision>> behind = calls(3 * Lane.LARGEST_BATCH);
        List<String> told = new ArrayList<>();
        var unused = first.thenRun(() -> told.add("the first"));
        var unusedToo = behind.get(behind.size() - 1).thenRun(() -> told.add("the last"));
        scene.pass(TIMEOUT);
        assertThat(told).containsExactly("the first", "the last");
    }

    @Test
    void theYoungLeaveBesideTheOldWhereThereIsRoom() {
        scene.shared.is(Mode.HOLDS);
        calls(FEW);
        calls(10);
        letFewBack();
        scene.shared.letOne();
        calls(2);
        scene.pass(EIGHTH.multipliedBy(5));
        calls(3);
        assertThat(scene.shared.batches()).as("more are under way than wait").containsExactly(10);
        scene.shared.letOne();
        assertThat(scene.shared.batches()).containsExactly(10, 2, 3);
    }

    /** It was charged here, by numbers of this instance: giving it back to all would be a gift. */
    @Test
    void whatWasGrantedInAnOutageToOneWhoGaveUpIsGivenBackHere() {
        Limit local = Scene.limit("local", 10, FailurePolicy.LOCAL);
        Stages.await(scene.redis.acquire(List.of(Charge.of(local, KEY, 5))));
        scene.shared.is(Mode.HOLDS);
        store.acquire(List.of(Charge.of(local, KEY, 1))).toCompletableFuture().cancel(false);
        scene.pass(TIMEOUT);
        assertThat(Scene.remaining(scene.local, local)).isEqualTo(10);
        scene.shared.open();
        assertThat(scene.left(local)).isEqualTo(5);
        assertThat(scene.shared.givenBack()).as("of the late answer").isOne();
    }

    /** All but one of those who left at once: then those who wait leave. */
    private void letFewBack() {
        for (int i = 0; i < FEW - 1; i++) {
            scene.shared.letOne();
        }
    }
}
