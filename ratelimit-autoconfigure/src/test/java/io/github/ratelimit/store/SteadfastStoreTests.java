/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static io.github.ratelimit.store.Scene.KEY;
import static io.github.ratelimit.store.Scene.TIMEOUT;
import static io.github.ratelimit.store.Scene.limit;
import static io.github.ratelimit.store.Scene.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.HeldStore.Mode;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class SteadfastStoreTests {

    private static final Limit LIMIT = limit("orders", 10, FailurePolicy.LOCAL);

    private final Scene scene = new Scene();

    private CompletableFuture<Decision> ask(Charge... charges) {
        return scene.store.acquire(List.of(charges)).toCompletableFuture();
    }

    @Test
    void whileTheSharedStoreAnswersItsAnswerStands() {
        Allowed answer = (Allowed) scene.acquire(Charge.of(LIMIT, KEY, 3));
        assertThat(answer.remaining()).isEqualTo(7);
        assertThat(scene.left(LIMIT)).isEqualTo(7);
        assertThat(scene.local.size()).isZero();
        assertThat(scene.heard).isEmpty();
    }

    @Test
    void anAnswerThatComesInTimeStands() {
        scene.shared.is(Mode.HOLDS);
        CompletableFuture<Decision> answer = ask(one(LIMIT));
        scene.pass(TIMEOUT.dividedBy(2));
        assertThat(answer).isNotDone();
        scene.shared.open();
        assertThat(((Allowed) answer.join()).remaining()).isEqualTo(9);
        scene.pass(TIMEOUT);
        assertThat(scene.heard).isEmpty();
        assertThat(scene.local.size()).isZero();
    }

    @Test
    void aCallThatIsNotAnsweredIsDecidedBeforeTheTimeoutIsOver() {
        scene.shared.is(Mode.HOLDS);
        CompletableFuture<Decision> answer = ask(one(LIMIT));
        scene.pass(TIMEOUT.minus(Duration.ofMillis(15)));
        assertThat(answer).isNotDone();
        scene.pass(Duration.ofMillis(10));
        assertThat(answer).isDone();
        assertThat(((Allowed) answer.join()).remaining()).isEqualTo(9);
        assertThat(Scene.remaining(scene.local, LIMIT)).isEqualTo(9);
        assertThat(scene.heard).containsExactly("timeout");
    }

    @Test
    void aChargeThatHappensTooLateIsGivenBack() {
        scene.shared.is(Mode.HOLDS);
        CompletableFuture<Decision> answer = ask(Charge.of(LIMIT, KEY, 4));
        scene.pass(TIMEOUT);
        assertThat(answer).isDone();
        scene.shared.open();
        assertThat(scene.shared.givenBack()).isEqualTo(1);
        assertThat(scene.left(LIMIT)).isEqualTo(10);
        assertThat(scene.shared.asked()).isEqualTo(2);
    }

    @Test
    void aDenialThatComesTooLateGivesNothingBack() {
        Stages.await(scene.redis.acquire(List.of(Charge.of(LIMIT, KEY, 10))));
        scene.shared.is(Mode.HOLDS);
        assertThat(ask(one(LIMIT))).isNotDone();
        scene.pass(TIMEOUT);
        scene.shared.open();
        assertThat(scene.shared.givenBack()).isZero();
        assertThat(scene.left(LIMIT)).isZero();
    }

    @Test
    void aReservationThatIsMadeTooLateIsCancelled() {
        Charge all = Charge.of(LIMIT, KEY, 10);
        Stages.await(scene.redis.acquire(List.of(all)));
        scene.shared.is(Mode.HOLDS);
        assertThat(ask(Charge.of(LIMIT, KEY, 2).waiting(5_000_000))).isNotDone();
        scene.pass(TIMEOUT);
        scene.shared.open();
        assertThat(scene.shared.givenBack()).isEqualTo(1);
        scene.pass(Duration.ofSeconds(10).minus(TIMEOUT));
        assertThat(scene.left(LIMIT)).isEqualTo(10);
    }

    @Test
    void permitsThatAreGrantedTooLateAreGivenBack() {
        Stages.await(scene.redis.acquire(List.of(Charge.of(LIMIT, KEY, 7))));
        scene.shared.is(Mode.HOLDS);
        var grant = scene.store.acquireUpTo(Charge.of(LIMIT, KEY, 5)).toCompletableFuture();
        scene.pass(TIMEOUT);
        assertThat(grant.join().granted()).isEqualTo(5);
        scene.shared.open();
        assertThat(scene.left(LIMIT)).isEqualTo(3);
    }

    @Test
    void onceOpenTheBreakerKeepsCallsAway() {
        scene.shared.is(Mode.REFUSES);
        for (int i = 0; i < 1_000; i++) {
            assertThat(ask(Charge.of(LIMIT, KEY, 0))).isCompleted();
        }
        assertThat(scene.shared.asked()).isEqualTo(Breaker.FAILURES_TO_OPEN);
        assertThat(scene.store.isAway()).isTrue();
        assertThat(scene.heard).containsExactly("connection", "connection", "connection", "away: connection");
    }

    @Test
    void limitingReturnsByItselfAndTheOutageIsToldOnceEach(CapturedOutput output) {
        scene.goAway();
        for (int second = 0; second < 60; second++) {
            scene.pass(Duration.ofSeconds(1));
            scene.acquire(one(LIMIT));
        }
        assertThat(scene.shared.asked()).isLessThan(40);
        scene.shared.open();
        for (int i = 0; scene.store.isAway(); i++) {
            assertThat(i).as("tenths of a second until it is back").isLessThan(50);
            scene.pass(Duration.ofMillis(100));
            scene.acquire(Charge.of(LIMIT, KEY, 0));
        }
        scene.acquire(Charge.of(LIMIT, KEY, 2));
        assertThat(scene.left(LIMIT)).isEqualTo(8);
        assertThat(scene.heard).doesNotContain("back");
        for (int i = 0; i < 10; i++) {
            scene.pass(TIMEOUT);
        }
        assertThat(scene.heard.stream().filter(word -> word.startsWith("away"))).hasSize(1);
        assertThat(scene.heard.stream().filter("back"::equals)).hasSize(1);
        assertThat(lines(output, "WARN"))
                .hasSize(1)
                .first()
                .asString()
                .contains("Redis cannot be reached", "(the shared store, ConnectException)", "spring.data.redis");
        assertThat(lines(output, "INFO")).hasSize(1).first().asString().contains("Redis answers again");
        assertThat(output.getAll()).doesNotContain(KEY);
    }

    private static List<String> lines(CapturedOutput output, String level) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains(level) && line.contains("SteadfastStore"))
                .toList();
    }

    @Test
    void aStoreThatComesAndGoesIsOneOutage() {
        for (int i = 0; i < 20; i++) {
            scene.goAway();
            scene.shared.open();
            scene.pass(Duration.ofMillis(100));
            scene.acquire(Charge.of(LIMIT, KEY, 0));
            assertThat(scene.store.isAway()).isFalse();
        }
        assertThat(scene.heard.stream().filter(word -> word.startsWith("away"))).hasSize(1);
    }

    /** With fewer calls than open a breaker, silence says nothing of a store whose last answer was none. */
    @Test
    void isNotOverBeforeAnAnswerFollowsTheLastFailure() {
        scene.goAway();
        scene.shared.open();
        scene.pass(Duration.ofMillis(100));
        scene.acquire(Charge.of(LIMIT, KEY, 0));
        assertThat(scene.store.isAway()).isFalse();

        scene.shared.is(Mode.REFUSES);
        scene.acquire(Charge.of(LIMIT, KEY, 0));
        for (int i = 0; i < 100; i++) {
            scene.pass(TIMEOUT);
        }
        assertThat(scene.heard).doesNotContain("back");

        scene.shared.open();
        scene.acquire(Charge.of(LIMIT, KEY, 0));
        scene.pass(TIMEOUT);
        assertThat(scene.heard).contains("back");
    }

    @Test
    void oneUnreadableKeyIsNoOutage() {
        scene.shared.failsWith(new RateLimitStoreException(
                "Redis cannot answer: WRONGTYPE Operation against a key holding the wrong kind of value", null));
        for (int i = 0; i < 10; i++) {
            assertThat(scene.acquire(one(LIMIT)).passes()).isTrue();
        }
        assertThat(scene.store.isAway()).isFalse();
        assertThat(scene.heard).hasSize(10).containsOnly("wrongtype");
    }

    @Test
    void oneUnreadableKeyKeepsNoOutageOpen() {
        scene.goAway().pass(Duration.ofMillis(100));
        scene.shared.failsWith(new RateLimitStoreException(
                "Redis cannot answer: WRONGTYPE Operation against a key holding the wrong kind of value", null));
        for (int i = 0; i < 10; i++) {
            scene.acquire(one(LIMIT));
            scene.pass(TIMEOUT);
        }
        assertThat(scene.heard).contains("wrongtype", "back");
    }

    @Test
    void partsOfTheStoreThatNobodyAskedForAreNotAwayForEver() {
        AtomicInteger looks = new AtomicInteger();
        LongSupplier clock = () -> {
            looks.incrementAndGet();
            return scene.nanos.get();
        };
        try (SteadfastStore store = new SteadfastStore(
                Remote.whole(scene.shared, scene.shared::inTurn, Carrier.NONE),
                scene.local,
                TIMEOUT,
                1,
                StoreHealth.NONE,
                clock,
                () -> 0)) {
            store.lost(new ConnectException("refused"));
            assertThat(store.isAway()).isTrue();
            for (int i = 0; i < 10; i++) {
                scene.pass(TIMEOUT);
                store.ring();
                assertThat(Stages.await(store.acquire(List.of(Charge.of(LIMIT, KEY, 0))))
                                .passes())
                        .isTrue();
            }
            looks.set(0);
            assertThat(store.isAway()).isFalse();
            assertThat(looks).as("looks at the clock").hasValue(0);
        }
    }

    @Test
    void badInputIsThrownAndIsNoFailure() {
        assertThatIllegalArgumentException().isThrownBy(() -> scene.store.acquire(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> scene.store.lock(LIMIT, KEY, Duration.ofDays(32)));
        scene.shared.failsWith(new IllegalArgumentException("bad")).is(Mode.THROWS);
        for (int i = 0; i < 10; i++) {
            assertThatIllegalArgumentException().isThrownBy(() -> scene.acquire(one(LIMIT)));
        }
        assertThat(scene.store.isAway()).isFalse();
        assertThat(scene.heard).isEmpty();
    }

    @Test
    void aProbeWithBadInputDoesNotUseTheProbeUp() {
        scene.goAway().pass(Duration.ofMillis(100));
        scene.shared.failsWith(new IllegalArgumentException("bad")).is(Mode.THROWS);
        assertThatIllegalArgumentException().isThrownBy(() -> scene.acquire(one(LIMIT)));
        scene.shared.open();
        scene.acquire(one(LIMIT));
        assertThat(scene.store.isAway()).isFalse();
    }

    @Test
    void aStoreThatThrowsHasFailedLikeAnyOther() {
        scene.shared.failsWith(new IllegalStateException("no connection")).is(Mode.THROWS);
        assertThat(scene.acquire(one(LIMIT)).passes()).isTrue();
        assertThat(scene.heard).containsExactly("other");
    }

    @Test
    void anAnswerThatBlockedTheCallerTooLongStandsButOpensTheBreaker() {
        HeldStore slow = new HeldStore(new io.github.ratelimit.local.LocalRateLimitStore(
                () -> {
                    scene.nanos.addAndGet(TIMEOUT.toNanos() + 1);
                    return scene.micros.get();
                },
                10));
        try (SteadfastStore store = new SteadfastStore(
                Remote.whole(slow, slow::inTurn, Carrier.NONE),
                scene.local,
                TIMEOUT,
                1,
                StoreHealth.NONE,
                scene.nanos::get,
                () -> 0)) {
            for (int i = 1; i <= Breaker.FAILURES_TO_OPEN; i++) {
                Allowed answer = (Allowed) Stages.await(store.acquire(List.of(one(LIMIT))));
                assertThat(answer.remaining()).isEqualTo(10 - i);
            }
            assertThat(store.isAway()).isTrue();
        }
    }

    @Test
    void whatIsReservedLocallyIsCancelledAndRefundedLocally() {
        scene.goAway();
        Reservation now = Stages.await(
                scene.store.reserve(List.of(Charge.of(LIMIT, KEY, 10).waiting(5_000_000))));
        Reservation later = Stages.await(
                scene.store.reserve(List.of(Charge.of(LIMIT, KEY, 3).waiting(5_000_000))));
        assertThat(((Allowed) later.decision()).delayMicros()).isEqualTo(3_000_000);
        scene.shared.open();
        int asked = scene.shared.asked();
        assertThat(Stages.await(scene.store.cancel(later))).isEqualTo(3);
        Stages.await(scene.store.refund(List.of(now.holds().get(0).charge())));
        assertThat(Scene.remaining(scene.local, LIMIT)).isEqualTo(10);
        assertThat(scene.shared.asked()).isEqualTo(asked);
    }

    @Test
    void whatOnlyTheSharedStoreCanDoFailsWhileItIsAway() {
        Reservation held = Stages.await(scene.store.reserve(List.of(one(LIMIT))));
        scene.goAway();
        assertThatThrownBy(() -> Stages.await(scene.store.cancel(held))).isInstanceOf(RateLimitStoreException.class);
        assertThatThrownBy(() -> Stages.await(scene.store.reset(LIMIT, KEY)))
                .isInstanceOf(RateLimitStoreException.class);
        assertThatThrownBy(() -> Stages.await(scene.store.lock(LIMIT, KEY, Duration.ofMinutes(1))))
                .isInstanceOf(RateLimitStoreException.class);
        assertThat(scene.acquire(one(LIMIT)).passes())
                .as("locked here all the same")
                .isFalse();
    }

    @Test
    void refundAndPeekAreAnsweredWhileItIsAway() {
        scene.goAway();
        scene.acquire(Charge.of(LIMIT, KEY, 4));
        assertThat(((Allowed) Stages.await(scene.store.refund(List.of(Charge.of(LIMIT, KEY, 1))))).remaining())
                .isEqualTo(7);
        assertThat(((Allowed) Stages.await(scene.store.peek(List.of(Charge.of(LIMIT, KEY, 0))))).remaining())
                .isEqualTo(7);
        Limit allow = limit("allow", 1, FailurePolicy.ALLOW);
        assertThat(Stages.await(scene.store.peek(List.of(one(allow))))).isEqualTo(new Uncounted("allow", null));
    }

    @Test
    void closingAnswersWhoWaits(CapturedOutput output) {
        scene.shared.is(Mode.HOLDS);
        CompletableFuture<Decision> answer = ask(one(LIMIT));
        scene.store.close();
        assertThat(answer).isCompleted();
        assertThat(ask(one(LIMIT))).isCompleted();
        assertThat(scene.heard).isEmpty();
        assertThat(lines(output, "WARN")).isEmpty();
        scene.shared.open();
        assertThat(scene.left(LIMIT)).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5_000_000})
    void aLateAnswerGivesNothingBackThatTimeHasRepaid(long maxWaitMicros) {
        scene.shared.is(Mode.KEEPS_ANSWERS);
        assertThat(ask(Charge.of(LIMIT, KEY, 4).waiting(maxWaitMicros))).isNotDone();
        scene.pass(TIMEOUT).pass(Duration.ofSeconds(4));
        Stages.await(scene.redis.acquire(List.of(Charge.of(LIMIT, KEY, 10))));
        scene.shared.open();
        assertThat(scene.left(LIMIT)).isZero();
    }

    @Test
    void aLateAnswerLeavesThePaceOfALeakyBucketAlone() {
        Limit paced = Kind.LEAKY_BUCKET
                .named("paced")
                .permits(10)
                .period(Duration.ofSeconds(10))
                .build();
        scene.shared.is(Mode.KEEPS_ANSWERS);
        CompletableFuture<Decision> first = ask(one(paced));
        long second = due(one(paced));
        scene.pass(TIMEOUT);
        assertThat(first).isCompleted();
        scene.shared.open();
        assertThat(due(one(paced))).isEqualTo(second + 1_000_000);
    }

    private long due(Charge charge) {
        List<Charge> waiting = List.of(charge.waiting(Charge.LONGEST_WAIT_MICROS));
        return Stages.await(scene.redis.reserve(waiting)).holds().get(0).dueMicros();
    }

    @ParameterizedTest
    @EnumSource(names = ".*WINDOW.*", mode = EnumSource.Mode.MATCH_ANY)
    void aLateAnswerGivesNothingToAWindowThatBeganSince(Kind kind) {
        Limit window =
                kind.named("window").permits(2).period(Duration.ofSeconds(1)).build();
        for (UnaryOperator<Charge> charge : List.<UnaryOperator<Charge>>of(one -> one, one -> one.waiting(1))) {
            scene.shared.is(Mode.KEEPS_ANSWERS);
            CompletableFuture<Decision> first = ask(charge.apply(one(window)));
            scene.pass(Duration.ofSeconds(3));
            assertThat(first).isCompleted();
            assertThat(Stages.await(scene.redis.acquire(List.of(Charge.of(window, KEY, 2))))
                            .passes())
                    .isTrue();
            scene.shared.open();
            assertThat(scene.left(window)).isZero();
            scene.pass(Duration.ofSeconds(3));
        }
    }

    @Test
    void aTimeoutThatLeavesNoTimeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SteadfastStore(
                        Remote.whole(scene.shared, scene.shared::inTurn, Carrier.NONE),
                        scene.local,
                        Duration.ZERO,
                        1,
                        StoreHealth.NONE))
                .withMessageContaining("store-timeout");
    }
}
