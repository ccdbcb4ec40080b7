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
import io.github.ratelimit.VirtualThreads;
import io.github.ratelimit.store.HeldStore.Mode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls that leave from the thread that carries them, which the test lets do one thing after the other. */
@SuppressWarnings("FutureReturnValueIgnored") // who is under way matters here, not the answer
class CarriedTripsTests {

    private static final Limit LIMIT = Scene.limit("orders", 1_000, FailurePolicy.ALLOW);
    private static final int FEW = Lane.MOST_ALONE;

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean isThere = true;
    private boolean isCurrent;
    private final Scene scene = new Scene(new Carrier(() -> isCurrent, this::take));
    private final CoalescingStore store =
            new CoalescingStore(scene.store, scene.store.trips(), charge -> true, TIMEOUT, scene.nanos::get);

    private Runnable whenAsked = () -> {};

    private boolean take(Runnable task) {
        whenAsked.run();
        return isThere && tasks.add(task);
    }

    private CompletableFuture<Decision> call() {
        return store.acquire(List.of(Charge.of(LIMIT, KEY, 1))).toCompletableFuture();
    }

    private List<CompletableFuture<Decision>> calls(int count) {
        return IntStream.range(0, count).mapToObj(i -> call()).toList();
    }

    /** The carrier does the next thing it has to do. */
    private void turn() {
        isCurrent = true;
        Objects.requireNonNull(tasks.poll(), "nothing is to be done").run();
        isCurrent = false;
    }

    /** It does all it has to do. */
    private void turns() {
        while (!tasks.isEmpty()) {
            turn();
        }
    }

    private static boolean is(Class<? extends Decision> kind, CompletableFuture<Decision> call) {
        return call.isDone() && kind.isInstance(call.join());
    }

    /** An answer arrives. */
    private void arrive() {
        isCurrent = true;
        scene.shared.letOne();
        isCurrent = false;
    }

    private CompletableFuture<Decision> callOnAVirtualThread() {
        CompletableFuture<CompletableFuture<Decision>> called = new CompletableFuture<>();
        VirtualThreads.run(() -> called.complete(call()));
        return called.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void whoComesBeforeTheCarrierHasTimeLeavesTogether() {
        List<CompletableFuture<Decision>> all = calls(5);
        assertThat(scene.shared.asked()).isZero();
        assertThat(tasks).as("departures").hasSize(1);
        turns();
        assertThat(scene.shared.batches()).containsExactly(5);
        assertThat(all).allMatch(call -> is(Allowed.class, call));
        assertThat(scene.left(LIMIT)).isEqualTo(995);
    }

    @Test
    void whoComesLaterLeavesWithTheNextDeparture() {
        scene.shared.is(Mode.HOLDS);
        calls(2);
        turn();
        calls(3);
        turn();
        assertThat(scene.shared.batches()).containsExactly(2, 3);
        assertThat(tasks).isEmpty();
    }

    @Test
    void whileManyAreUnderWayNobodyIsToldThatOthersWait() {
        scene.shared.is(Mode.HOLDS);
        calls(FEW + 1);
        turn();
        calls(FEW);
        assertThat(tasks).as("fewer than are under way").isEmpty();
        calls(1);
        assertThat(tasks).as("as many").hasSize(1);
        turn();
        assertThat(scene.shared.batches()).containsExactly(FEW + 1, FEW + 1);
        calls(3 * FEW);
        assertThat(tasks).as("two trips are under way").isEmpty();
    }

    /** Another trip has taken them along. */
    @Test
    void aDepartureThatFindsNobodySendsNothing() {
        scene.shared.is(Mode.HOLDS);
        calls(2);
        turn();
        calls(2);
        scene.shared.letOne();
        assertThat(scene.shared.batches()).containsExactly(2, 2);
        turn();
        assertThat(scene.shared.asked()).isEqualTo(2);
        call();
        assertThat(tasks).as("the next departure").hasSize(1);
    }

    @Test
    void aDepartureThatFindsManyUnderWayLetsOthersWait() {
        scene.shared.is(Mode.HOLDS);
        calls(FEW + 1);
        turn();
        calls(FEW + 1);
        scene.shared.letOne();
        assertThat(scene.shared.batches()).containsExactly(FEW + 1, FEW + 1);
        calls(2);
        turn();
        assertThat(scene.shared.batches()).containsExactly(FEW + 1, FEW + 1);
    }

    @Test
    void whoHasGivenUpIsNotSent() {
        CompletableFuture<Decision> gone = call();
        CompletableFuture<Decision> there = call();
        gone.cancel(false);
        turns();
        assertThat(there).matches(call -> is(Allowed.class, call));
        assertThat(scene.left(LIMIT)).isEqualTo(999);
    }

    @Test
    void withoutACarrierCallsLeaveByThemselves() {
        isThere = false;
        assertThat(call()).isCompletedWithValueMatching(Allowed.class::isInstance);
        scene.shared.is(Mode.HOLDS);
        calls(FEW);
        calls(2);
        assertThat(scene.shared.asked()).isEqualTo(1 + FEW);
        for (int i = 0; i < FEW - 1; i++) {
            arrive();
        }
        assertThat(scene.shared.batches()).containsExactly(2);
    }

    /** Its thread may be kept by somebody, or end. */
    @Test
    void aCarrierThatFindsNoTimeKeepsNobodyLongerThanADecisionMayTake() {
        List<CompletableFuture<Decision>> all = calls(2);
        scene.pass(TIMEOUT);
        assertThat(all).allMatch(call -> is(Uncounted.class, call));
        assertThat(scene.heard).containsExactly("timeout", "timeout");
        turn();
        assertThat(scene.shared.asked()).as("nothing is sent afterwards").isZero();
    }

    @Test
    void whoComesAfterTheEndIsAnsweredWithoutTheCarrier() {
        scene.shared.is(Mode.HOLDS);
        scene.store.close();
        assertThat(call()).isCompletedWithValueMatching(Uncounted.class::isInstance);
    }

    @Test
    void whoAlreadyWaitsAtTheEndIsAnsweredToo() {
        scene.shared.is(Mode.HOLDS);
        CompletableFuture<Decision> call = call();
        scene.store.close();
        assertThat(call).isCompletedWithValueMatching(Uncounted.class::isInstance);
    }

    /** To start one costs next to nothing, to wait for the one carrier would cost more. */
    @Test
    void virtualThreadsSendThemselves() {
        boolean areThere = Runtime.version().feature() >= 21;
        scene.shared.is(Mode.HOLDS);
        callOnAVirtualThread();
        assertThat(scene.shared.asked()).isEqualTo(areThere ? 1 : 0);
        assertThat(tasks).hasSize(areThere ? 0 : 1);
    }

    @Test
    void aVirtualThreadTakesAlongWhoWaits() {
        boolean areThere = Runtime.version().feature() >= 21;
        scene.shared.is(Mode.HOLDS);
        call();
        callOnAVirtualThread();
        assertThat(scene.shared.batches()).isEqualTo(areThere ? List.of(2) : List.of());
        turn();
        assertThat(scene.shared.batches()).containsExactly(2);
    }

    @Test
    void callersAreToldAfterTheNextAreSent() {
        scene.shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> first = calls(5);
        turn();
        calls(2);
        arrive();
        assertThat(scene.shared.batches()).containsExactly(5, 2);
        assertThat(first).as("the carrier has to send first").noneMatch(CompletableFuture::isDone);
        turn();
        assertThat(first).allMatch(call -> is(Allowed.class, call));
    }

    @Test
    void oneAloneIsToldAfterTheNextAreSentToo() {
        scene.shared.is(Mode.HOLDS);
        CompletableFuture<Decision> alone = call();
        turn();
        arrive();
        assertThat(alone).isNotDone();
        turn();
        assertThat(alone).matches(call -> is(Allowed.class, call));
    }

    /** The answer is there; to be told it by policy would be wrong. */
    @Test
    void aCarrierThatFindsNoTimeToTellKeepsNobodyLongerThanADecisionMayTake() {
        scene.shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = calls(5);
        turn();
        arrive();
        assertThat(all).noneMatch(CompletableFuture::isDone);
        scene.pass(TIMEOUT);
        assertThat(all).allMatch(call -> is(Allowed.class, call));
        turns();
        assertThat(scene.shared.givenBack()).isZero();
        assertThat(scene.left(LIMIT)).isEqualTo(1_000 - 5);
    }

    @Test
    void whatTheAlarmHasToldIsNotToldAgain() {
        scene.shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = calls(5);
        turn();
        whenAsked = () -> scene.pass(TIMEOUT);
        isThere = false;
        arrive();
        assertThat(all).allMatch(call -> is(Allowed.class, call));
        assertThat(scene.shared.givenBack()).isZero();
    }

    /** Those who come late are in time for the store. */
    @Test
    void whereTheAlarmHasThemLeaveTheYoungAreSent() {
        scene.shared.is(Mode.HOLDS);
        CompletableFuture<Decision> old = call();
        scene.pass(TIMEOUT.dividedBy(8).multipliedBy(6));
        CompletableFuture<Decision> young = call();
        scene.pass(TIMEOUT.dividedBy(8).multipliedBy(2));
        assertThat(old).matches(call -> is(Uncounted.class, call));
        assertThat(young).isNotDone();
        scene.shared.open();
        assertThat(young).matches(call -> is(Allowed.class, call));
    }

    @Test
    void moreThanATripHoldsLeaveInTwo() {
        scene.shared.is(Mode.HOLDS);
        calls(Lane.LARGEST_BATCH + 3);
        turn();
        assertThat(scene.shared.batches()).containsExactly(Lane.LARGEST_BATCH, 3);
    }

    @Test
    void aVirtualThreadDoesNotWaitForTheFewUnderWay() {
        boolean areThere = Runtime.version().feature() >= 21;
        scene.shared.is(Mode.HOLDS);
        for (int i = 0; i < FEW - 1; i++) {
            calls(1);
            turn();
        }
        call();
        callOnAVirtualThread();
        assertThat(scene.shared.asked()).isEqualTo(areThere ? FEW : FEW - 1);
        turn();
        assertThat(scene.shared.batches()).containsExactly(2);
    }

    @Test
    void aCarrierThatEndsBetweenKeepsNobody() {
        scene.store.close();
        isThere = false;
        scene.shared.is(Mode.HOLDS);
        assertThat(call()).matches(call -> is(Uncounted.class, call));
        assertThat(scene.shared.asked()).isOne();
    }

    @Test
    void answersThatComeElsewhereAreToldThere() {
        scene.shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = calls(5);
        turn();
        scene.shared.letOne();
        assertThat(all).allMatch(call -> is(Allowed.class, call));
        assertThat(tasks).isEmpty();
    }

    @Test
    void whereTheCarrierHasEndedCallersAreToldAtOnce() {
        scene.shared.is(Mode.HOLDS);
        List<CompletableFuture<Decision>> all = calls(5);
        turn();
        isThere = false;
        arrive();
        assertThat(all).allMatch(call -> is(Allowed.class, call));
    }
}
