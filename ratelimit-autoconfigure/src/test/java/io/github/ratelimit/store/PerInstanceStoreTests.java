/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static io.github.ratelimit.store.Scene.KEY;
import static io.github.ratelimit.store.Scene.limit;
import static io.github.ratelimit.store.Scene.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.HeldStore.Mode;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PerInstanceStoreTests {

    private static final Limit OURS = limit("ours", 5, more -> more.perInstance(true));
    private static final Limit OURS_TOO = limit("ours-too", 3, more -> more.perInstance(true));
    private static final Limit ALL = limit("all", 10, more -> more);
    private static final Limit ALL_TOO = limit("all-too", 4, more -> more);

    private static final Limit STRICT = limit("strict", 2, more -> more.penalty(Duration.ofHours(1)));
    private static final long HOUR = 3_600_000_000L;
    private static final Denied LOCKED = new Denied(STRICT, DenialReason.PENALTY, 0, HOUR, HOUR);

    private final LocalRateLimitStore own = new LocalRateLimitStore(() -> 1_000_000_000_000L, 100);
    private final LocalRateLimitStore behind = new LocalRateLimitStore(() -> 1_000_000_000_000L, 100);
    private final HeldStore shared = new HeldStore(behind);
    private final PerInstanceStore store = new PerInstanceStore(shared, own);

    private Decision acquire(Charge... charges) {
        return Stages.await(store.acquire(List.of(charges)));
    }

    private void leave(long ours, long all) {
        assertThat(Scene.remaining(own, OURS)).as("ours").isEqualTo(ours);
        assertThat(Scene.remaining(behind, ALL)).as("all").isEqualTo(all);
    }

    @Test
    void eachChargeIsCountedWhereItBelongs() {
        acquire(one(OURS));
        leave(4, 10);
        acquire(one(ALL));
        leave(4, 9);
        assertThat(shared.asked()).isEqualTo(1);
        acquire(one(OURS), one(OURS_TOO));
        assertThat(shared.asked()).isEqualTo(1);
        acquire(one(ALL), one(ALL_TOO));
        assertThat(shared.asked()).isEqualTo(2);
        leave(3, 8);
    }

    @Test
    void aMixedCallIsGrantedByAllAndToldInDeclaredOrder() {
        Allowed allowed = (Allowed) acquire(one(ALL), one(OURS), one(ALL_TOO), one(OURS_TOO), one(OURS));
        assertThat(allowed.parts()).extracting(Decision::limit).containsExactly("all", "ours", "all-too", "ours-too");
        assertThat(allowed.limit()).isEqualTo("ours-too");
        assertThat(allowed.remaining()).isEqualTo(2);
        leave(3, 9);
    }

    @Test
    void ifTheSharedStoreDeniesOursIsGivenBack() {
        Stages.await(behind.acquire(List.of(Charge.of(ALL, KEY, 10))));
        Denied denied = (Denied) acquire(Charge.of(OURS, KEY, 2), one(ALL));
        leave(5, 0);
        assertThat(denied.limit()).isEqualTo("all");
        assertThat(denied.retryAfterMicros()).isEqualTo(1_000_000);
        assertThat(denied.parts().get(0)).isEqualTo(new Allowed(OURS, 5, 0, 0));
    }

    @Test
    void ifOursDeniesTheSharedStoreIsOnlyLookedAt() {
        Stages.await(own.acquire(List.of(Charge.of(OURS, KEY, 5))));
        Denied denied = (Denied) acquire(Charge.of(ALL, KEY, 4), one(OURS));
        leave(0, 10);
        assertThat(denied.limit()).isEqualTo("ours");
        assertThat(denied.parts().get(0)).isEqualTo(new Allowed(ALL, 10, 0, 0));
        assertThat(shared.asked()).isEqualTo(2);
    }

    @Test
    void bothDenialsAreTold() {
        Stages.await(own.acquire(List.of(Charge.of(OURS, KEY, 5))));
        Stages.await(behind.acquire(List.of(Charge.of(ALL, KEY, 10))));
        Denied denied = (Denied) acquire(Charge.of(ALL, KEY, 4), one(OURS));
        assertThat(denied.limit()).isEqualTo("all");
        assertThat(denied.retryAfterMicros()).isEqualTo(4_000_000);
        assertThat(denied.parts()).noneMatch(Decision::passes);
        assertThat(shared.asked()).isEqualTo(1);
    }

    @Test
    void aSharedLimitThatDeniesTooStartsItsPenalty() {
        Stages.await(own.acquire(List.of(Charge.of(OURS, KEY, 5))));
        Stages.await(behind.acquire(List.of(Charge.of(STRICT, KEY, 2))));
        Denied denied = (Denied) acquire(one(OURS), one(STRICT), one(ALL));
        assertThat(denied.parts().get(1)).isEqualTo(LOCKED);
        assertThat(denied.parts().get(2)).isEqualTo(new Allowed(ALL, 10, 0, 0));
        assertThat(Stages.await(behind.peek(List.of(Charge.of(STRICT, KEY, 0)))))
                .as("locked")
                .isEqualTo(new Allowed(STRICT, 0, HOUR, 0));
        leave(0, 10);
    }

    @Test
    void aSharedLimitThatWouldGrantStartsNoPenalty() {
        Stages.await(own.acquire(List.of(Charge.of(OURS, KEY, 5))));
        Stages.await(behind.acquire(List.of(Charge.of(ALL, KEY, 10))));
        Denied denied = (Denied) acquire(one(OURS), one(STRICT), one(ALL));
        assertThat(denied.parts().get(1)).isEqualTo(new Allowed(STRICT, 2, 0, 0));
        assertThat(Stages.await(behind.acquire(List.of(Charge.of(STRICT, KEY, 2)))))
                .isEqualTo(new Allowed(STRICT, 0, 2_000_000, 0));
    }

    @Test
    void theLockOfASharedShadowIsNoPenalty() {
        Limit shadow = limit("shadow", 2, more -> more.shadow(true));
        Stages.await(own.acquire(List.of(Charge.of(OURS, KEY, 5))));
        Stages.await(behind.lock(shadow, KEY, Duration.ofHours(1)));
        assertThat(acquire(one(OURS), one(shadow), one(ALL)).parts())
                .extracting(Decision::passes)
                .containsExactly(false, false, true);
        assertThat(shared.askedToAct()).isZero();
    }

    @Test
    void whatTheSharedStoreGrantsMeanwhileIsGivenBack() {
        Stages.await(own.acquire(List.of(Charge.of(OURS, KEY, 5))));
        Stages.await(behind.acquire(List.of(Charge.of(STRICT, KEY, 2))));
        shared.is(Mode.KEEPS_ANSWERS);
        CompletableFuture<Decision> asked =
                store.acquire(List.of(one(OURS), one(STRICT), one(ALL))).toCompletableFuture();
        Stages.await(behind.refund(List.of(Charge.of(STRICT, KEY, 2))));
        shared.open();
        Denied denied = (Denied) Stages.await(asked);
        assertThat(denied.limit()).isEqualTo("ours");
        assertThat(denied.parts().subList(1, 3))
                .containsExactly(new Allowed(STRICT, 2, 0, 0), new Allowed(ALL, 10, 0, 0));
        leave(0, 10);
        assertThat(Scene.remaining(behind, STRICT)).isEqualTo(2);
    }

    @Test
    void aLookStartsNoPenalty() {
        Stages.await(own.acquire(List.of(Charge.of(OURS, KEY, 5))));
        Stages.await(behind.acquire(List.of(Charge.of(STRICT, KEY, 2))));
        assertThat(Stages.await(store.peek(List.of(one(OURS), one(STRICT))))
                        .parts()
                        .get(1))
                .isEqualTo(LOCKED);
        assertThat(Stages.await(behind.peek(List.of(Charge.of(STRICT, KEY, 0)))))
                .as("not locked")
                .isEqualTo(new Allowed(STRICT, 0, 2_000_000, 0));
    }

    @Test
    void ifTheSharedStoreFailsOursIsGivenBack() {
        shared.is(Mode.REFUSES);
        assertThatThrownBy(() -> acquire(one(OURS), one(ALL))).isInstanceOf(RateLimitStoreException.class);
        leave(5, 10);
        shared.is(Mode.THROWS);
        assertThatThrownBy(() -> acquire(one(OURS), one(ALL))).isInstanceOf(RateLimitStoreException.class);
        leave(5, 10);
    }

    @ParameterizedTest
    @EnumSource
    void oursIsGivenBackWhateverItsAlgorithm(Kind kind) {
        Limit ours = kind.named("kind")
                .permits(10)
                .period(Duration.ofSeconds(10))
                .perInstance(true)
                .build();
        Stages.await(behind.acquire(List.of(Charge.of(ALL, KEY, 10))));
        Decision before = Stages.await(own.peek(List.of(one(ours))));
        Denied denied = (Denied) acquire(Charge.of(ours, KEY, 3), one(ALL));
        assertThat(denied.parts().get(0)).isEqualTo(new Allowed(ours, 10, 0, 0));
        assertThat(Stages.await(own.peek(List.of(one(ours))))).isEqualTo(before);
    }

    @Test
    void aWaitThatIsNotServedIsGivenBack() {
        Stages.await(own.acquire(List.of(Charge.of(OURS, KEY, 5))));
        Stages.await(behind.acquire(List.of(Charge.of(ALL, KEY, 10))));
        assertThat(acquire(one(OURS).waiting(5_000_000), one(ALL)).passes()).isFalse();
        Denied next = (Denied) Stages.await(own.peek(List.of(one(OURS))));
        assertThat(next.retryAfterMicros()).isEqualTo(1_000_000);
    }

    @Test
    void whoeverWaitsBehindACallThatIsNotServedWaitsNoLessThanItWasTold() {
        Stages.await(own.acquire(List.of(Charge.of(OURS, KEY, 4))));
        Stages.await(behind.acquire(List.of(Charge.of(ALL, KEY, 10))));
        shared.is(Mode.HOLDS);
        CompletableFuture<Decision> first =
                store.acquire(List.of(one(OURS), one(ALL))).toCompletableFuture();
        long due = due(OURS);
        shared.open();
        assertThat(first).isCompletedWithValueMatching(decision -> !decision.passes());
        assertThat(due(OURS)).isEqualTo(due + 1_000_000);
    }

    @Test
    void aWaitThatIsNotServedIsGivenBackThoughOthersCameSince() {
        Stages.await(own.acquire(List.of(Charge.of(OURS_TOO, KEY, 3))));
        Stages.await(behind.acquire(List.of(Charge.of(ALL, KEY, 10))));
        shared.is(Mode.HOLDS);
        CompletableFuture<Decision> first = store.acquire(
                        List.of(one(OURS), one(OURS_TOO).waiting(5_000_000), one(ALL)))
                .toCompletableFuture();
        Stages.await(own.acquire(List.of(one(OURS))));
        shared.open();
        assertThat(first).isCompletedWithValueMatching(decision -> !decision.passes());
        leave(4, 0);
    }

    @Test
    void thePaceOfOursOutlastsACallThatIsNotServed() {
        Limit paced = Kind.LEAKY_BUCKET
                .named("paced")
                .permits(10)
                .period(Duration.ofSeconds(10))
                .perInstance(true)
                .build();
        Stages.await(behind.acquire(List.of(Charge.of(ALL, KEY, 10))));
        shared.is(Mode.HOLDS);
        CompletableFuture<Decision> first =
                store.acquire(List.of(one(paced), one(ALL))).toCompletableFuture();
        long second = due(paced);
        shared.open();
        assertThat(first).isCompletedWithValueMatching(decision -> !decision.passes());
        assertThat(due(paced)).isEqualTo(second + 1_000_000);
    }

    private long due(Limit limit) {
        List<Charge> waiting = List.of(one(limit).waiting(Charge.LONGEST_WAIT_MICROS));
        return Stages.await(own.reserve(waiting)).holds().get(0).dueMicros();
    }

    @Test
    void aShadowLimitOfOursKeepsItsOwnAnswer() {
        Limit shadow = limit("shadow", 2, more -> more.perInstance(true).shadow(true));
        Stages.await(own.acquire(List.of(Charge.of(shadow, KEY, 2))));
        Stages.await(behind.acquire(List.of(Charge.of(ALL, KEY, 10))));
        Denied denied = (Denied) acquire(one(shadow), one(OURS), one(ALL));
        assertThat(Decision.isShadowDenial(denied.parts().get(0))).isTrue();
        assertThat(Scene.remaining(own, shadow)).isZero();
        leave(5, 0);
    }

    @Test
    void aMixedReservationIsCancelledInBoth() {
        Stages.await(own.acquire(List.of(Charge.of(OURS, KEY, 5))));
        Stages.await(behind.acquire(List.of(Charge.of(ALL, KEY, 10))));
        Reservation held = Stages.await(store.reserve(List.of(
                Charge.of(ALL, KEY, 3).waiting(5_000_000),
                Charge.of(OURS, KEY, 2).waiting(5_000_000))));
        assertThat(((Allowed) held.decision()).delayMicros()).isEqualTo(3_000_000);
        assertThat(Stages.await(store.cancel(held))).isEqualTo(5);
        assertThat(Stages.await(store.cancel(new Reservation(held.decision(), List.of()))))
                .isZero();
    }

    @Test
    void peekAnswersAsAcquireWould() {
        Charge[][] calls = {
            {one(OURS), one(ALL)},
            {Charge.of(OURS, KEY, 6), one(ALL)},
            {one(OURS), Charge.of(ALL, KEY, 11)},
            {Charge.of(OURS, KEY, 6), Charge.of(ALL, KEY, 11)},
        };
        for (Charge[] call : calls) {
            Decision peeked = Stages.await(store.peek(List.of(call)));
            assertThat(acquire(call)).isEqualTo(peeked);
        }
        leave(4, 9);
    }

    @Test
    void everythingElseGoesWhereItBelongs() {
        acquire(Charge.of(OURS, KEY, 3), Charge.of(ALL, KEY, 3));
        assertThat(Stages.await(store.refund(List.of(one(ALL), Charge.of(OURS, KEY, 2))))
                        .parts())
                .containsExactly(new Allowed(ALL, 8, 2_000_000, 0), new Allowed(OURS, 4, 1_000_000, 0));
        assertThat(Stages.await(store.acquireUpTo(Charge.of(OURS, KEY, 9))).granted())
                .isEqualTo(4);
        leave(0, 8);
        Stages.await(store.reset(OURS, KEY));
        leave(5, 8);
        Stages.await(store.lock(OURS, KEY, Duration.ofMinutes(1)));
        leave(0, 8);
        Stages.await(store.reset(ALL, KEY));
        leave(0, 10);
    }
}
