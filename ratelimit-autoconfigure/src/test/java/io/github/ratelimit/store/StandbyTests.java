/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static io.github.ratelimit.store.Scene.KEY;
import static io.github.ratelimit.store.Scene.limit;
import static io.github.ratelimit.store.Scene.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What each failure policy does with a call, and with others in one call. */
class StandbyTests {

    private static final Limit LOCAL = limit("local", 10, FailurePolicy.LOCAL);
    private static final Limit ALLOW = limit("allow", 10, FailurePolicy.ALLOW);
    private static final Limit DENY = limit("deny", 10, FailurePolicy.DENY);

    private final Scene scene = new Scene().goAway();

    @Test
    void localStartsUnusedAndCountsHere() {
        Stages.await(scene.redis.acquire(List.of(Charge.of(LOCAL, KEY, 10))));
        for (int left = 9; left >= 0; left--) {
            assertThat(((Allowed) scene.acquire(one(LOCAL))).remaining()).isEqualTo(left);
        }
        Denied denied = (Denied) scene.acquire(one(LOCAL));
        assertThat(denied.reason()).isEqualTo(DenialReason.PERMITS_SPENT);
        assertThat(denied.retryAfterMicros()).isEqualTo(1_000_000);
    }

    @Test
    void localLivesOnAcrossShortOutagesAndWritesNothingBack() {
        scene.acquire(Charge.of(LOCAL, KEY, 6));
        scene.shared.open();
        scene.pass(Duration.ofMillis(100));
        assertThat(((Allowed) scene.acquire(one(LOCAL))).remaining()).isEqualTo(9);
        scene.goAway();
        assertThat(((Allowed) scene.acquire(one(LOCAL))).remaining()).isEqualTo(3);
        assertThat(scene.left(LOCAL)).isEqualTo(9);
    }

    @Test
    void allowPassesUncounted() {
        assertThat(scene.acquire(Charge.of(ALLOW, KEY, 99))).isEqualTo(new Uncounted("allow", null));
        assertThat(Stages.await(scene.store.acquireUpTo(Charge.of(ALLOW, KEY, 99))))
                .isEqualTo(new PartialGrant(99, new Uncounted("allow", null)));
    }

    @Test
    void denyDenies() {
        Denied denied = (Denied) scene.acquire(one(DENY));
        assertThat(denied.reason()).isEqualTo(DenialReason.STORE_UNAVAILABLE);
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(Stages.await(scene.store.acquireUpTo(one(DENY))).granted()).isZero();
        assertThat(Stages.await(scene.store.peek(List.of(one(DENY))))).isEqualTo(denied);
    }

    @Test
    void anyDenyDeniesTheCallAndChargesNothing() {
        scene.acquire(Charge.of(LOCAL, KEY, 10));
        Denied denied = (Denied) scene.acquire(one(LOCAL), one(DENY), one(ALLOW));
        assertThat(denied.limit()).isEqualTo("deny");
        assertThat(denied.reason()).isEqualTo(DenialReason.STORE_UNAVAILABLE);
        assertThat(denied.parts()).extracting(Decision::limit).containsExactly("local", "deny", "allow");
        scene.pass(Duration.ofMillis(10)).pass(Duration.ofSeconds(4));
        scene.acquire(one(DENY), Charge.of(LOCAL, KEY, 2));
        assertThat(Scene.remaining(scene.local, LOCAL)).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void aCostOfZeroPassesWhateverThePolicy(FailurePolicy policy) {
        Charge free = Charge.of(limit("free", 10, policy), KEY, 0);
        assertThat(scene.acquire(free).passes()).isTrue();
        assertThat(scene.acquire(free.waiting(1_000)).passes()).isTrue();
        assertThat(Stages.await(scene.store.reserve(List.of(free))).decision().passes())
                .isTrue();
        assertThat(Stages.await(scene.store.peek(List.of(free))).passes()).isTrue();
        assertThat(Stages.await(scene.store.acquireUpTo(free)).decision().passes())
                .isTrue();
        assertThat(Stages.await(scene.store.trips().alone(List.of(free), 42)).passes())
                .isTrue();
    }

    @Test
    void aDenyThatTakesNothingIsCountedByNobodyAndLetsTheOthersDecide() {
        Charge free = Charge.of(DENY, KEY, 0);
        assertThat(scene.acquire(free)).isEqualTo(new Uncounted("deny", null));
        Allowed allowed = (Allowed) scene.acquire(free, Charge.of(LOCAL, KEY, 4), one(ALLOW));
        assertThat(allowed.parts()).extracting(Decision::limit).containsExactly("deny", "local", "allow");
        assertThat(allowed.remaining()).isEqualTo(6);
        assertThat(((Denied) scene.acquire(free, Charge.of(LOCAL, KEY, 7))).limit())
                .isEqualTo("local");
        Denied denied = (Denied) scene.acquire(one(DENY), Charge.of(LOCAL, KEY, 0));
        assertThat(denied.reason()).isEqualTo(DenialReason.STORE_UNAVAILABLE);
        assertThat(Scene.remaining(scene.local, LOCAL)).isEqualTo(6);
    }

    @Test
    void aCounterIsDeniedForAllThatTheCallTakesOfIt() {
        Charge free = Charge.of(DENY, KEY, 0);
        assertThat(scene.acquire(free, one(DENY)).parts())
                .singleElement()
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.reason()).isEqualTo(DenialReason.STORE_UNAVAILABLE));
        assertThat(scene.acquire(free, free)).isEqualTo(new Uncounted("deny", null));
    }

    @Test
    void localAndAllowTogetherAreCountedAsFarAsPossible() {
        Allowed allowed = (Allowed) scene.acquire(one(ALLOW), one(LOCAL));
        assertThat(allowed.limit()).isEqualTo("local");
        assertThat(allowed.remaining()).isEqualTo(9);
        assertThat(allowed.parts().get(0)).isEqualTo(new Uncounted("allow", null));
        scene.acquire(Charge.of(LOCAL, KEY, 9));
        assertThat(scene.acquire(one(ALLOW), one(LOCAL)).passes()).isFalse();
    }

    @Test
    void theSameCounterTwiceHasOnePart() {
        assertThat(scene.acquire(one(ALLOW), one(LOCAL), one(ALLOW), one(LOCAL)).parts())
                .extracting(Decision::limit)
                .containsExactly("allow", "local");
        assertThat(Scene.remaining(scene.local, LOCAL)).isEqualTo(8);
    }

    @Test
    void aShadowLimitThatDeniesHasNoSay() {
        Limit shadow = limit("shadow", 10, more -> more.shadow(true).onStoreFailure(FailurePolicy.DENY));
        Decision alone = scene.acquire(one(shadow));
        assertThat(alone.passes()).isTrue();
        assertThat(Decision.isShadowDenial(alone.parts().get(0))).isTrue();
        assertThat(((Allowed) scene.acquire(one(shadow), one(LOCAL))).remaining())
                .isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource({"1.0, 30", "0.5, 15", "0.34, 10", "0.001, 1"})
    void localGrantsNoMoreThanTheShareOfBurstAndRate(double share, long burst) throws Exception {
        Scene away = new Scene(share).goAway();
        Limit limit = limit("bound", 30, FailurePolicy.LOCAL);
        long granted = hammer(away, limit);
        assertThat(granted).isEqualTo(burst);
        for (int i = 0; i < 10; i++) {
            away.pass(Duration.ofSeconds(6));
            granted += hammer(away, limit);
        }
        double bound = Math.max(1, share * 30) + Math.max(1.0 / 30, share) * 60;
        assertThat((double) granted).isBetween(bound * 0.8 - 1, bound);
    }

    private static long hammer(Scene away, Limit limit) throws InterruptedException {
        AtomicLong granted = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                for (int call = 0; call < 50; call++) {
                    granted.addAndGet(away.acquire(one(limit)).passes() ? 1 : 0);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return granted.get();
    }

    /** It is granted when the store is back: not what is said of a cost that nobody can ever grant. */
    @ParameterizedTest
    @EnumSource
    void aCostAboveTheShareIsDeniedForTheOutage(Algorithm algorithm) {
        Scene away = new Scene(0.5).goAway();
        Limit limit = limit("shared", 10, more -> more.algorithm(algorithm).onStoreFailure(FailurePolicy.LOCAL));
        Charge beyond = Charge.of(limit, KEY, 6);
        Denied denied = (Denied) away.acquire(beyond);
        assertThat(denied.reason()).isEqualTo(DenialReason.STORE_UNAVAILABLE);
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(away.acquire(beyond.waiting(1_000_000))).isEqualTo(denied);
        assertThat(Stages.await(away.store.reserve(List.of(beyond))).decision()).isEqualTo(denied);
        assertThat(Stages.await(away.store.peek(List.of(beyond)))).isEqualTo(denied);
        assertThat(away.acquire(Charge.of(limit, KEY, 3), Charge.of(limit, KEY, 3)))
                .isEqualTo(denied);
        assertThat(Stages.await(away.store.acquireUpTo(beyond)).granted()).isEqualTo(5);
        assertThat(((Allowed) Stages.await(away.store.refund(List.of(beyond)))).remaining())
                .isEqualTo(5);
        Denied never = (Denied) away.acquire(Charge.of(limit, KEY, 11));
        assertThat(never.reason()).isEqualTo(DenialReason.COST_EXCEEDS_CAPACITY);
        assertThat(never.retryAfter()).isNull();
        assertThat(away.acquire(Charge.of(limit, KEY, 5)).passes()).isTrue();
    }

    @Test
    void aCostAboveTheShareDeniesTheCallAndChargesNothing() {
        Scene away = new Scene(0.5).goAway();
        Limit shared = limit("shared", 10, FailurePolicy.LOCAL);
        assertThat(away.acquire(Charge.of(LOCAL, KEY, 5)).passes()).isTrue();
        Denied denied = (Denied) away.acquire(one(LOCAL), Charge.of(shared, KEY, 6), one(ALLOW));
        assertThat(denied.limit()).isEqualTo("shared");
        assertThat(denied.reason()).isEqualTo(DenialReason.STORE_UNAVAILABLE);
        assertThat(denied.parts()).extracting(Decision::passes).containsExactly(true, false, true);
        Limit watched = limit("watched", 10, more -> more.shadow(true).onStoreFailure(FailurePolicy.LOCAL));
        Decision passing = away.acquire(Charge.of(watched, KEY, 6), one(shared));
        assertThat(((Allowed) passing).remaining()).isEqualTo(4);
        assertThat(Decision.isShadowDenial(passing.parts().get(0))).isTrue();
    }

    @Test
    void everyAlgorithmHasItsShare() {
        for (Algorithm algorithm : Algorithm.values()) {
            Limit limit = Limit.named("all")
                    .algorithm(algorithm)
                    .permits(9)
                    .period(Duration.ofMinutes(1))
                    .build();
            assertThat(new LocalShare(0.5).of(limit).permits()).isEqualTo(4);
            assertThat(new LocalShare(0.5).of(limit).burst()).isEqualTo(4);
            assertThat(new LocalShare(0.01).of(limit).permits()).isEqualTo(1);
        }
    }

    @Test
    void aShareThatCannotBeCountedExactlyIsRoundedDown() {
        Limit large = Limit.named("large")
                .algorithm(Algorithm.TOKEN_BUCKET)
                .permits(1_000_000_000)
                .period(Duration.ofSeconds(1_000_000))
                .build();
        assertThat(new LocalShare(1 / 3.0).of(large).permits()).isBetween(300_000_000L, 333_333_333L);
    }

    @Test
    void aShareIsKnownAgainThoughItEqualsItsLimit() {
        LocalShare all = new LocalShare(1);
        Limit share = all.of(LOCAL);
        assertThat(share).isEqualTo(LOCAL);
        assertThat(all.isMade(share)).isTrue();
        assertThat(all.isMade(LOCAL)).isFalse();
        assertThat(all.of(share)).isSameAs(share);
        assertThat(all.of(limit("local", 10, FailurePolicy.LOCAL))).isSameAs(share);
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "1.1", "NaN"})
    void whatIsNoShareIsRefused(double share) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LocalShare(share))
                .withMessageContaining("local-share");
    }
}
