/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.HeldStore.Mode;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the model of {@link DenialCache} says: a repeated denial is right, and nothing else is repeated. */
class DenialCacheTests {

    private static final String KEY = "alice";
    private static final Limit ONE_A_SECOND = bucket(limit -> limit);
    private static final Limit ONE_A_MINUTE = bucket(limit -> limit.period(Duration.ofMinutes(1)));
    private static final Limit THREE = bucket(limit -> limit.permits(3).period(Duration.ofSeconds(3)));

    private final AtomicLong micros = new AtomicLong(1_700_000_000_000_000L);
    private final AtomicLong nanos = new AtomicLong(-7);
    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicBoolean divides = new AtomicBoolean();
    private final LocalRateLimitStore behind = new LocalRateLimitStore(micros::get, 1_000_000);
    private final HeldStore shared = new HeldStore(behind);
    private final DenialCache store = new DenialCache(shared, away::get, true, divides::get, nanos::get);

    private static Limit bucket(UnaryOperator<LimitBuilder> more) {
        return named("limit", more);
    }

    private static Limit named(String name, UnaryOperator<LimitBuilder> more) {
        return more.apply(Limit.named(name)
                        .algorithm(Algorithm.TOKEN_BUCKET)
                        .permits(1)
                        .period(Duration.ofSeconds(1)))
                .build();
    }

    private void pass(long micros) {
        this.micros.addAndGet(micros);
        nanos.addAndGet(micros * 1_000);
    }

    private Decision acquire(Limit limit, long cost) {
        return Stages.await(store.acquire(List.of(Charge.of(limit, KEY, cost))));
    }

    private Denied denied(Limit limit, long cost) {
        return (Denied) acquire(limit, cost);
    }

    /** Whether a call was asked of the store. */
    private boolean asks(Limit limit, long cost) {
        int before = shared.askedToAct();
        acquire(limit, cost);
        return shared.askedToAct() > before;
    }

    /** Uses everything up and is denied once. */
    private Denied spend(Limit limit) {
        acquire(limit, limit.burst());
        return denied(limit, 1);
    }

    @Test
    void aDenialIsRepeatedUntilTheCallWouldBeGranted() {
        assertThat(spend(ONE_A_SECOND).retryAfterMicros()).isEqualTo(1_000_000);
        pass(400_000);
        assertThat(asks(ONE_A_SECOND, 1)).isFalse();
        assertThat(denied(ONE_A_SECOND, 1))
                .isEqualTo(Stages.await(behind.acquire(List.of(Charge.of(ONE_A_SECOND, KEY, 1)))));
        pass(599_999);
        assertThat(asks(ONE_A_SECOND, 1)).isFalse();
        pass(1);
        assertThat(acquire(ONE_A_SECOND, 1)).isInstanceOf(Allowed.class);
    }

    @Test
    void nothingIsBelievedForMoreThanASecond() {
        assertThat(spend(ONE_A_MINUTE).retryAfterMicros()).isEqualTo(60_000_000);
        pass(1_000_000);
        assertThat(asks(ONE_A_MINUTE, 1)).isTrue();
        shared.is(Mode.HOLDS);
        pass(999_999);
        assertThat(asks(ONE_A_MINUTE, 1)).as("the look has no answer").isFalse();
        shared.is(Mode.ANSWERS);
        pass(1);
        assertThat(asks(ONE_A_MINUTE, 1)).isTrue();
    }

    @Test
    void nobodyWaitsForTheStoreWhileADenialGoesOn() {
        spend(ONE_A_MINUTE);
        int asked = shared.askedToAct();
        for (int look = 1; look <= 10; look++) {
            pass(749_999);
            denied(ONE_A_MINUTE, 1);
            assertThat(shared.looks()).isEqualTo(look - 1);
            pass(1);
            denied(ONE_A_MINUTE, 1);
            assertThat(denied(ONE_A_MINUTE, 1))
                    .isEqualTo(Stages.await(behind.acquire(List.of(Charge.of(ONE_A_MINUTE, KEY, 1)))));
            assertThat(shared.looks()).as("one look, whoever calls").isEqualTo(look);
        }
        assertThat(shared.askedToAct()).isEqualTo(asked);
    }

    @Test
    void aDenialThatEndsInTimeOrThatNobodyRepeatsIsNotLookedAfter() {
        spend(ONE_A_SECOND);
        pass(900_000);
        denied(ONE_A_SECOND, 1);
        spend(ONE_A_MINUTE);
        pass(5_000_000);
        assertThat(asks(ONE_A_MINUTE, 1)).isTrue();
        assertThat(shared.looks()).isZero();
    }

    @Test
    void aLookIsForTheCostThatIsRemembered() {
        Limit slow = bucket(limit -> limit.permits(3).period(Duration.ofHours(1)));
        acquire(slow, 2);
        denied(slow, 2);
        pass(800_000);
        denied(slow, 3);
        assertThat(shared.looks()).isEqualTo(1);
        pass(900_000);
        assertThat(asks(slow, 2)).isFalse();
    }

    @Test
    void whatIsGivenBackElsewhereIsSeenByTheLook() {
        spend(ONE_A_MINUTE);
        Stages.await(behind.reset(ONE_A_MINUTE, KEY));
        pass(750_000);
        assertThat(acquire(ONE_A_MINUTE, 1)).as("this one looks").isInstanceOf(Denied.class);
        assertThat(acquire(ONE_A_MINUTE, 1)).isInstanceOf(Allowed.class);
    }

    @Test
    void whatIsGivenBackHereWhileALookIsUnderWayIsSeenAtOnce() {
        spend(ONE_A_MINUTE);
        pass(750_000);
        shared.is(Mode.KEEPS_ANSWERS);
        denied(ONE_A_MINUTE, 1);
        shared.is(Mode.ANSWERS);
        Stages.await(store.refund(List.of(Charge.of(ONE_A_MINUTE, KEY, 1))));
        shared.open();
        assertThat(shared.looks()).isEqualTo(1);
        assertThat(acquire(ONE_A_MINUTE, 1)).isInstanceOf(Allowed.class);
    }

    @Test
    void aLookThatIsAnsweredLateHoldsFromItsSending() {
        spend(ONE_A_MINUTE);
        pass(750_000);
        shared.is(Mode.HOLDS);
        denied(ONE_A_MINUTE, 1);
        pass(200_000);
        shared.open();
        pass(799_999);
        shared.is(Mode.HOLDS);
        assertThat(asks(ONE_A_MINUTE, 1)).isFalse();
        pass(1);
        assertThat(store.knownDenial(ONE_A_MINUTE, KEY, 1)).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSES", "THROWS"})
    void aLookThatFailsIsNobodysFailure(Mode failing) {
        spend(ONE_A_MINUTE);
        pass(750_000);
        shared.is(failing);
        denied(ONE_A_MINUTE, 1);
        assertThat(shared.looks()).isEqualTo(1);
        shared.is(Mode.ANSWERS);
        pass(249_999);
        assertThat(asks(ONE_A_MINUTE, 1)).isFalse();
        pass(1);
        assertThat(asks(ONE_A_MINUTE, 1)).isTrue();
    }

    @Test
    void aLookThatOnlyTheStandbyAnswersTellsNothing() {
        Scene scene = new Scene();
        DenialCache before = new DenialCache(scene.store, () -> false, true, () -> false, scene.nanos::get);
        List<Charge> call = List.of(Scene.one(Scene.limit("limit", 1, more -> more.period(Duration.ofMinutes(1)))));
        Stages.await(before.acquire(call));
        Stages.await(before.acquire(call));
        scene.pass(Duration.ofMillis(750));
        scene.shared.is(Mode.REFUSES);
        for (int i = 0; i < 3; i++) {
            assertThat(Stages.await(before.acquire(call))).isInstanceOf(Denied.class);
        }
        assertThat(scene.shared.looks()).isEqualTo(1);
    }

    @Test
    void aBucketThatOtherNumbersFilledIsCutByACallThoughLooksWriteNothing() {
        Limit large = bucket(limit -> limit.permits(600).period(Duration.ofHours(1)));
        Limit small = bucket(limit -> limit.permits(10).period(Duration.ofMinutes(1)));
        assertThat(spend(small).retryAfterMicros()).isEqualTo(6_000_000);
        Stages.await(behind.acquire(List.of(Charge.of(large, KEY, 590))));
        int quarters = 0;
        while (!acquire(small, 1).passes()) {
            assertThat(quarters++).isLessThan(4 * 8);
            pass(250_000);
        }
    }

    @Test
    void soManyLooksAtOnceAndNoMore() {
        List<List<Charge>> calls = spendAll(LookAhead.MOST_LOOKS + 500);
        pass(750_000);
        shared.is(Mode.HOLDS);
        calls.forEach(call -> Stages.await(store.acquire(call)));
        assertThat(shared.looks()).isEqualTo(LookAhead.MOST_LOOKS);
        shared.open();
        int asked = shared.askedToAct();
        pass(750_000);
        calls.forEach(call -> Stages.await(store.acquire(call)));
        assertThat(shared.looks()).isEqualTo(2 * LookAhead.MOST_LOOKS);
        assertThat(shared.askedToAct() - asked).isEqualTo(500);
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSES", "THROWS"})
    void looksThatFailedAreOver(Mode failing) {
        List<List<Charge>> calls = spendAll(LookAhead.MOST_LOOKS + 500);
        pass(750_000);
        shared.is(failing);
        calls.forEach(call -> Stages.await(store.acquire(call)));
        assertThat(shared.looks()).isEqualTo(calls.size());
    }

    /** Calls on so many keys, each denied once. */
    private List<List<Charge>> spendAll(int keys) {
        List<List<Charge>> calls = IntStream.range(0, keys)
                .mapToObj(i -> List.of(Charge.of(ONE_A_MINUTE, "tenant-" + i, 1)))
                .toList();
        for (List<Charge> call : calls) {
            Stages.await(store.acquire(call));
            Stages.await(store.acquire(call));
        }
        return calls;
    }

    @Test
    void aStoreThatKeepsItsCallersIsNotLookedAt() {
        DenialCache blocking = new DenialCache(shared, away::get, false, divides::get, nanos::get);
        List<Charge> charges = List.of(Charge.of(ONE_A_MINUTE, KEY, 1));
        Stages.await(blocking.acquire(charges));
        Stages.await(blocking.acquire(charges));
        pass(999_999);
        assertThat(Stages.await(blocking.acquire(charges))).isInstanceOf(Denied.class);
        assertThat(shared.looks()).isZero();
    }

    @Test
    void tenThousandKeysHaveRoomForAllTheirDenials() {
        int keys = 10_000;
        for (int round = 0; round < 3; round++) {
            int before = shared.asked();
            for (int i = 0; i < keys; i++) {
                Stages.await(store.acquire(List.of(Charge.of(ONE_A_MINUTE, "tenant-" + i, 1))));
            }
            assertThat(shared.asked() - before).isEqualTo(round < 2 ? keys : 0);
        }
    }

    @Test
    void aDenialHoldsFromTheSendingAndIsToldFromTheHearing() {
        acquire(ONE_A_SECOND, 1);
        shared.is(Mode.HOLDS);
        CompletionStage<Decision> underWay = store.acquire(List.of(Charge.of(ONE_A_SECOND, KEY, 1)));
        nanos.addAndGet(2_000_000);
        shared.open();
        assertThat(((Denied) Stages.await(underWay)).retryAfterMicros()).isEqualTo(1_000_000);
        nanos.addAndGet(1_000_500);
        assertThat(denied(ONE_A_SECOND, 1).retryAfterMicros()).isEqualTo(1_000_000 - 1_000);
        nanos.addAndGet(996_999_499);
        assertThat(asks(ONE_A_SECOND, 1)).isFalse();
        nanos.addAndGet(1);
        assertThat(asks(ONE_A_SECOND, 1)).isTrue();
    }

    @Test
    void aHigherCostIsDeniedTooAndALowerOneAsked() {
        acquire(THREE, 2);
        denied(THREE, 2);
        assertThat(asks(THREE, 3)).isFalse();
        assertThat(denied(THREE, 3))
                .isEqualTo(Stages.await(behind.acquire(List.of(Charge.of(THREE, KEY, 3)))))
                .extracting(Denied::retryAfterMicros)
                .isEqualTo(2_000_000L);
        assertThat(asks(THREE, 4)).as("more than there can ever be").isTrue();
        assertThat(asks(THREE, 0)).isTrue();
        assertThat(asks(THREE, 1)).isTrue();
    }

    @Test
    void aHigherCostOnAWindowIsAskedAndThenBothAreKnown() {
        Limit window = bucket(
                limit -> limit.algorithm(Algorithm.FIXED_WINDOW).permits(3).period(Duration.ofHours(1)));
        acquire(window, 3);
        denied(window, 1);
        assertThat(asks(window, 2)).isTrue();
        assertThat(asks(window, 2)).isFalse();
        assertThat(asks(window, 1)).isFalse();
    }

    @Test
    void otherNumbersAreAsked() {
        spend(ONE_A_SECOND);
        assertThat(asks(bucket(limit -> limit.permits(100).burst(10L)), 1)).isTrue();
    }

    @Test
    void whatIsGivenBackHereIsSeenAtOnce() {
        spend(THREE);
        Stages.await(store.refund(List.of(Charge.of(THREE, KEY, 1))));
        assertThat(acquire(THREE, 1)).isInstanceOf(Allowed.class);
        denied(THREE, 1);
        Stages.await(store.reset(THREE, KEY));
        assertThat(acquire(THREE, 3)).isInstanceOf(Allowed.class);
        denied(THREE, 1);
        Stages.await(store.lock(THREE, KEY, Duration.ofSeconds(30)));
        assertThat(asks(THREE, 1)).isTrue();
    }

    @Test
    void whatIsGivenBackUnderOtherNumbersIsSeenToo() {
        spend(THREE);
        Stages.await(store.reset(bucket(limit -> limit.permits(7)), KEY));
        assertThat(acquire(THREE, 1)).isInstanceOf(Allowed.class);
    }

    @Test
    void aCancelledWaitIsSeenAtOnce() {
        Reservation all = Stages.await(store.reserve(List.of(Charge.of(THREE, KEY, 3))));
        Reservation later =
                Stages.await(store.reserve(List.of(Charge.of(THREE, KEY, 1).waiting(5_000_000))));
        pass(100_000);
        denied(THREE, 1);
        Stages.await(store.cancel(later));
        assertThat(asks(THREE, 1)).isTrue();
        assertThat(all.decision()).isInstanceOf(Allowed.class);
    }

    /** One more than the denied caller was told of is before it now: in the store's own words 1.7 s. */
    @Test
    void aGrantToWhoeverWaitsPostponesADenial() {
        acquire(ONE_A_SECOND, 1);
        pass(100_000);
        assertThat(denied(ONE_A_SECOND, 1).retryAfterMicros()).isEqualTo(900_000);
        pass(100_000);
        Stages.await(store.reserve(List.of(Charge.of(ONE_A_SECOND, KEY, 1).waiting(5_000_000))));
        pass(100_000);
        assertThat(denied(ONE_A_SECOND, 1).retryAfterMicros()).isEqualTo(1_700_000);
        Stages.await(store.acquire(List.of(Charge.of(ONE_A_SECOND, KEY, 1).waiting(5_000_000))));
        assertThat(denied(ONE_A_SECOND, 1).retryAfterMicros()).isEqualTo(2_700_000);
    }

    @Test
    void aGrantOfSomePermitsOrOfSeveralLimitsPostponesADenial() throws Exception {
        acquire(THREE, 1);
        denied(THREE, 3);
        Stages.await(store.acquireUpTo(Charge.of(THREE, KEY, 1)));
        assertThat(denied(THREE, 3).retryAfterMicros()).isEqualTo(2_000_000);
        List<Charge> several = List.of(Charge.of(THREE, KEY, 1), Charge.of(ONE_A_SECOND, "bob", 1));
        assertThat(store.acquireBlocking(several, late -> {}).passes()).isTrue();
        assertThat(denied(THREE, 3).retryAfterMicros()).isEqualTo(3_000_000);
    }

    /** It is charged where it is granted, and that is given back: meanwhile others are denied who need not be. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatADividedCallWasChargedForAMomentIsForgotten(boolean fails) {
        divides.set(true);
        List<Charge> several = List.of(Charge.of(THREE, KEY, 3), Charge.of(ONE_A_SECOND, "bob", 1));
        Stages.await(behind.acquire(List.of(Charge.of(ONE_A_SECOND, "bob", 1))));
        for (boolean reserves : List.of(true, false)) {
            Stages.await(behind.acquire(List.of(Charge.of(THREE, KEY, 3))));
            shared.is(Mode.HOLDS);
            CompletionStage<?> call = reserves ? store.reserve(several) : store.acquire(several);
            List<Runnable> held = shared.takeHeld();
            shared.open();
            denied(THREE, 1);
            Stages.await(behind.refund(List.of(Charge.of(THREE, KEY, 3))));
            shared.is(fails ? Mode.REFUSES : Mode.ANSWERS);
            held.forEach(Runnable::run);
            shared.open();
            assertThat(call.toCompletableFuture()).isDone();
            assertThat(acquire(THREE, 1)).as("reserves: %s", reserves).isInstanceOf(Allowed.class);
            Stages.await(behind.reset(THREE, KEY));
        }
    }

    /** Else the denials of a busy call of several limits would keep all others from being repeated. */
    @Test
    void aDenialOfSeveralThatWereDecidedTogetherForgetsNothing() {
        spend(THREE);
        acquire(THREE, 1);
        Stages.await(store.acquire(List.of(Charge.of(THREE, KEY, 1), Charge.of(ONE_A_SECOND, "bob", 1))));
        assertThat(asks(THREE, 1)).isFalse();
    }

    @Test
    void whatALateAnswerGivesBackIsSeenAtOnce() {
        Scene scene = new Scene();
        DenialCache before = new DenialCache(scene.store, () -> false, true, () -> false, scene.nanos::get);
        scene.store.onGivenBack(before::forget);
        scene.shared.is(Mode.KEEPS_ANSWERS);
        CompletionStage<Decision> late = before.acquire(List.of(Charge.of(THREE, KEY, 3)));
        List<Runnable> held = scene.shared.takeHeld();
        scene.shared.open();
        scene.pass(Scene.TIMEOUT);
        assertThat(Stages.await(late).passes()).as("by policy").isTrue();
        assertThat(Stages.await(before.acquire(List.of(Charge.of(THREE, KEY, 1)))))
                .isInstanceOf(Denied.class);
        held.forEach(Runnable::run);
        assertThat(Stages.await(before.acquire(List.of(Charge.of(THREE, KEY, 1)))))
                .isInstanceOf(Allowed.class);
    }

    @Test
    void aDenialSentBeforeARefundIsForgottenThoughItIsHeardAfter() {
        acquire(THREE, 3);
        shared.is(Mode.HOLDS);
        CompletionStage<Decision> underWay = store.acquire(List.of(Charge.of(THREE, KEY, 1)));
        CompletionStage<Decision> refund = store.refund(List.of(Charge.of(THREE, KEY, 3)));
        shared.open();
        Stages.await(refund);
        assertThat(Stages.await(underWay)).isInstanceOf(Denied.class);
        assertThat(acquire(THREE, 3)).isInstanceOf(Allowed.class);
    }

    @Test
    void whoeverWaitsOrIsPacedOrPunishedOrOnlyWatchedIsAsked() {
        Limit shadow = named("shadow", limit -> limit.shadow(true));
        acquire(shadow, 1);
        acquire(shadow, 1);
        assertThat(asks(shadow, 1)).isTrue();

        Limit punished = named("punished", limit -> limit.permits(2).penalty(Duration.ofMillis(10)));
        spend(punished);
        assertThat(asks(punished, 1)).isTrue();

        Limit paced =
                named("paced", limit -> limit.algorithm(Algorithm.LEAKY_BUCKET).permits(5));
        spend(paced);
        assertThat(asks(paced, 1)).isTrue();

        spend(ONE_A_SECOND);
        int before = shared.asked();
        Stages.await(store.acquire(List.of(Charge.of(ONE_A_SECOND, KEY, 1).waiting(10))));
        Stages.await(store.acquire(List.of(Charge.of(ONE_A_SECOND, KEY, 1), Charge.of(THREE, "bob", 1))));
        Stages.await(store.acquireUpTo(Charge.of(ONE_A_SECOND, KEY, 1)));
        Stages.await(store.peek(List.of(Charge.of(ONE_A_SECOND, KEY, 1))));
        assertThat(shared.asked()).isEqualTo(before + 4);
    }

    @Test
    void aDenialOfAPenaltyIsNoDenialOfTheCounter() {
        Stages.await(behind.lock(THREE, KEY, Duration.ofMillis(10)));
        denied(THREE, 1);
        assertThat(asks(THREE, 1)).isTrue();
    }

    @Test
    void whileTheStoreIsAwayNothingIsRepeated() {
        spend(ONE_A_SECOND);
        away.set(true);
        assertThat(asks(ONE_A_SECOND, 1)).isTrue();
        away.set(false);
        assertThat(asks(ONE_A_SECOND, 1)).isFalse();
    }

    @Test
    void whatAStandbyDeniesIsNotRemembered() {
        Scene scene = new Scene();
        DenialCache before = new DenialCache(scene.store, () -> false, true, () -> false, scene.nanos::get);
        Limit limit = Scene.limit("limit", 1, io.github.ratelimit.FailurePolicy.LOCAL);
        scene.goAway();
        Stages.await(before.acquire(List.of(Scene.one(limit))));
        assertThat(Stages.await(before.acquire(List.of(Scene.one(limit))))).isInstanceOf(Denied.class);
        scene.shared.open();
        scene.pass(Duration.ofMillis(500));
        assertThat(Stages.await(before.acquire(List.of(Scene.one(limit))))).isInstanceOf(Allowed.class);
    }

    @Test
    void aFloodOfKeysGainsNothing() {
        int keys = 3 * Denials.PLACES;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < keys; i++) {
                Decision decision = Stages.await(store.acquire(List.of(Charge.of(ONE_A_SECOND, "key-" + i, 1))));
                assertThat(decision.passes()).isEqualTo(round == 0);
            }
        }
        assertThat(shared.asked()).isLessThan(3 * keys);
    }

    @Test
    void veryLongKeysAreNotKept() {
        String longest = "k".repeat(Denials.LONGEST_KEY);
        assertThat(asksAgain(longest)).isFalse();
        assertThat(asksAgain(longest + "k")).isTrue();
    }

    private boolean asksAgain(String key) {
        List<Charge> charges = List.of(Charge.of(ONE_A_SECOND, key, 1));
        Stages.await(store.acquire(charges));
        Stages.await(store.acquire(charges));
        int before = shared.asked();
        Stages.await(store.acquire(charges));
        return shared.asked() > before;
    }

    /** Many callers with many costs at random times, beside another instance that calls too: always the store's verdict. */
    @ParameterizedTest
    @MethodSource("kindsFastAndSlow")
    void everyVerdictIsTheStores(Kind kind, long periodMillis) {
        Random random = new Random(kind.name().hashCode());
        Limit limit = kind.named("random")
                .permits(7)
                .period(Duration.ofMillis(periodMillis))
                .build();
        int repeated = 0;
        for (int i = 0; i < 20_000; i++) {
            pass(random.nextInt(10) < 6 ? 0 : random.nextInt(200_000));
            if (random.nextInt(5) == 0) {
                Stages.await(behind.acquire(List.of(Charge.of(limit, KEY, 1))));
            }
            long cost = random.nextInt(9);
            Decision expected = Stages.await(behind.peek(List.of(Charge.of(limit, KEY, cost))));
            int before = shared.askedToAct();
            Decision said = acquire(limit, cost);
            if (shared.askedToAct() == before) {
                repeated++;
                Denied truth = (Denied) expected;
                assertThat(said).isInstanceOfSatisfying(Denied.class, denied -> {
                    assertThat(denied.reason()).isEqualTo(truth.reason());
                    assertThat(denied.resetAfterMicros()).isLessThanOrEqualTo(truth.resetAfterMicros());
                });
            }
            assertThat(said.passes()).isEqualTo(expected.passes());
        }
        if (kind == Kind.LEAKY_BUCKET) {
            assertThat(repeated).isZero();
        } else {
            assertThat(repeated).isGreaterThan(1_000);
        }
    }

    /** Denials that end before they have to be forgotten, and denials that do not. */
    private static Stream<Arguments> kindsFastAndSlow() {
        return Stream.of(Kind.values()).flatMap(kind -> Stream.of(arguments(kind, 900), arguments(kind, 25_200)));
    }

    /** While nobody else calls, times and numbers are the store's as well; remaining for a cost of 1. */
    @ParameterizedTest
    @MethodSource("kindsFastAndSlow")
    void everyAnswerIsTheStoresWhileNobodyElseCalls(Kind kind, long periodMillis) {
        Random random = new Random(7 + kind.name().hashCode());
        Limit limit = kind.named("alone")
                .permits(7)
                .period(Duration.ofMillis(periodMillis))
                .build();
        for (int i = 0; i < 20_000; i++) {
            pass(random.nextInt(10) < 6 ? 0 : random.nextInt(200_000));
            long cost = random.nextInt(9);
            Decision expected = Stages.await(behind.peek(List.of(Charge.of(limit, KEY, cost))));
            int before = shared.askedToAct();
            Decision said = acquire(limit, cost);
            if (shared.askedToAct() == before) {
                Denied told = (Denied) said;
                Denied truth = (Denied) expected;
                assertThat(told.resetAfterMicros()).isEqualTo(truth.resetAfterMicros());
                assertThat(told.retryAfterMicros() - truth.retryAfterMicros()).isBetween(0L, 1L);
                assertThat(told.remaining()).isLessThanOrEqualTo(truth.remaining());
                if (cost == 1) {
                    assertThat(told).isEqualTo(truth);
                }
            }
        }
    }
}
