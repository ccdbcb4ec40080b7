/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several limits in one call: all or nothing. */
interface TogetherContract extends StoreFixture {

    @ParameterizedTest
    @EnumSource
    default void aDenialByTheLastChargesNone(Kind kind) {
        Limit first = perSecond(kind, 5);
        Limit last =
                Kind.TOKEN_BUCKET.named(freshName()).permits(2).period(A_SECOND).build();
        Charge one = kind.charge(first, KEY, 1);
        Caller caller = caller();
        caller.take(one, Charge.of(last, KEY, 1));
        Allowed both = caller.take(one, Charge.of(last, KEY, 1));
        assertThat(both.remaining()).isZero();
        assertThat(both.limit()).isEqualTo(last.name());
        Decision before = caller.state(first, KEY);
        Denied denied = caller.refused(one, Charge.of(last, KEY, 1));
        assertThat(denied.limit()).isEqualTo(last.name());
        assertThat(denied.retryAfterMicros()).isEqualTo(500_000);
        assertThat(denied.parts()).hasSize(2);
        assertThat(denied.parts().get(0)).isEqualTo(before);
        assertThat(denied.parts().get(1).passes()).isFalse();
        assertThat(caller.state(first, KEY)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    default void aDenialByTheFirstChargesNone(Kind kind) {
        Limit first = perSecond(kind, 2);
        Limit last = perSecond(Kind.FIXED_WINDOW, 5);
        Caller caller = caller();
        caller.take(kind.charge(first, KEY, 2));
        Denied denied = caller.refused(kind.charge(first, KEY, 1), Charge.of(last, KEY, 1));
        assertThat(denied.limit()).isEqualTo(first.name());
        assertThat(denied.reason()).isEqualTo(DenialReason.PERMITS_SPENT);
        assertThat(caller.state(last, KEY)).isEqualTo(new Allowed(last, 5, 0, 0));
    }

    /** Wherever the limits live: those behind the one that denies say what they would have said before it. */
    @ParameterizedTest
    @EnumSource
    default void thoseBehindADenialAreAskedToo(Kind kind) {
        Limit spent = perSecond(Kind.FIXED_WINDOW, 1);
        Limit spared = perSecond(kind, 5);
        Limit strict = kind.named(freshName())
                .permits(1)
                .period(A_SECOND)
                .penalty(Duration.ofSeconds(30))
                .build();
        Caller caller = caller();
        caller.take(Charge.of(spent, "a", 1), kind.charge(spared, "b", 1), kind.charge(strict, "c", 1));
        Decision before = caller.state(spared, "b");
        Denied denied =
                caller.refused(Charge.of(spent, "a", 1), kind.charge(spared, "b", 1), kind.charge(strict, "c", 1));
        assertThat(denied.limit()).isEqualTo(strict.name());
        assertThat(denied.parts().get(1)).isEqualTo(before);
        assertThat(denied.parts().get(2))
                .isInstanceOfSatisfying(
                        Denied.class, part -> assertThat(part.reason()).isEqualTo(DenialReason.PENALTY));
        assertThat(caller.after(29_999_999).refused(kind.charge(strict, "c", 1)).reason())
                .isEqualTo(DenialReason.PENALTY);
        caller.after(1).take(kind.charge(strict, "c", 1));
    }

    @ParameterizedTest
    @EnumSource
    default void everyKindTogetherIsGrantedAndTheTightestSpeaks(Kind kind) {
        Map<Kind, Charge> charges = new EnumMap<>(Kind.class);
        for (Kind each : Kind.values()) {
            charges.put(each, each.charge(perSecond(each, each == kind ? 3 : 10), KEY, 2));
        }
        Charge[] call = charges.values().toArray(Charge[]::new);
        String tightest =
                call[List.copyOf(charges.keySet()).indexOf(kind)].limit().name();
        Caller caller = caller();
        Allowed granted = caller.take(call);
        assertThat(granted.limit()).isEqualTo(tightest);
        assertThat(granted.remaining()).isEqualTo(1);
        assertThat(granted.parts()).hasSize(call.length);
        assertThat(caller.refused(call).limit()).isEqualTo(tightest);
        charges.forEach((each, charge) ->
                assertThat(caller.state(charge.limit(), KEY).remaining()).isEqualTo(each == kind ? 1 : 8));
    }

    @ParameterizedTest
    @EnumSource
    default void peekOfSeveralChargesNone(Kind kind) {
        Charge[] charges = {kind.charge(perSecond(kind, 5), KEY, 2), kind.charge(perSecond(kind, 3), KEY, 2)};
        Caller caller = caller();
        Decision peeked = caller.peek(charges);
        assertThat(caller.acquire(charges)).isEqualTo(peeked);
        Decision denial = caller.peek(charges);
        assertThat(caller.acquire(charges)).isEqualTo(denial);
    }

    @ParameterizedTest
    @EnumSource
    default void theSameLimitAndKeyTwiceIsOneChargeOfTheSum(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Charge two = kind.charge(limit, KEY, 2);
        Caller caller = caller();
        Allowed granted = caller.take(two, two);
        assertThat(granted.remaining()).isEqualTo(1);
        assertThat(granted.parts()).hasSize(1);
        assertThat(caller.refused(kind.charge(limit, KEY, 1), kind.charge(limit, KEY, 1))
                        .reason())
                .isEqualTo(DenialReason.PERMITS_SPENT);
        assertThat(caller.refused(two, two, two).reason()).isEqualTo(DenialReason.COST_EXCEEDS_CAPACITY);
        Charge huge = kind.charge(limit, KEY, Long.MAX_VALUE);
        assertThat(caller.refused(huge, huge).reason()).isEqualTo(DenialReason.COST_EXCEEDS_CAPACITY);
        assertThat(caller.state(limit, KEY).remaining()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    default void twoKeysOfOneLimitAreTwoCharges(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Allowed granted = caller().take(kind.charge(limit, "a", 2), kind.charge(limit, "b", 3));
        assertThat(granted.parts()).hasSize(2);
        assertThat(granted.remaining()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    default void aShadowLimitCountsButHasNoSay(Kind kind) {
        Limit shadow =
                kind.named(freshName()).permits(2).period(A_SECOND).shadow(true).build();
        Limit enforced = perSecond(kind, 5);
        Charge watched = Charge.of(shadow, KEY, 1);
        Caller caller = caller();
        caller.take(watched, kind.charge(enforced, KEY, 1));
        caller.take(watched, kind.charge(enforced, KEY, 1));
        Allowed granted = caller.take(watched, kind.charge(enforced, KEY, 1));
        assertThat(granted.limit()).isEqualTo(enforced.name());
        assertThat(granted.remaining()).isEqualTo(2);
        assertThat(Decision.isShadowDenial(granted.parts().get(0))).isTrue();
        assertThat(caller.state(shadow, KEY).remaining()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    default void aShadowLimitIsNotChargedForADeniedCall(Kind kind) {
        Limit shadow =
                kind.named(freshName()).permits(2).period(A_SECOND).shadow(true).build();
        Limit enforced = perSecond(kind, 1);
        Caller caller = caller();
        caller.take(kind.charge(enforced, KEY, 1));
        caller.refused(Charge.of(shadow, KEY, 1), kind.charge(enforced, KEY, 1));
        assertThat(caller.state(shadow, KEY).remaining()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    default void aShadowLimitAloneNeverDeniesDelaysOrLocks(Kind kind) {
        Limit shadow = kind.named(freshName())
                .permits(2)
                .period(A_SECOND)
                .penalty(A_SECOND.multipliedBy(60))
                .shadow(true)
                .build();
        Charge one = Charge.of(shadow, KEY, 1).waiting(SECOND);
        Caller caller = caller();
        for (int i = 0; i < 5; i++) {
            assertThat(caller.take(one).delayMicros()).isZero();
        }
        long resetAfter = caller.state(shadow, KEY).resetAfterMicros();
        assertThat(resetAfter).isLessThanOrEqualTo(2 * SECOND);
        assertThat(caller.after(resetAfter).state(shadow, KEY).remaining()).isEqualTo(2);
    }

    @Test
    default void theLimitThatTakesLongestDecidesAndTiesGoToTheFirstDeclared() {
        Limit slow = perSecond(Kind.FIXED_WINDOW, 1);
        Limit slowToo = perSecond(Kind.SLIDING_WINDOW_LOG, 1);
        Limit fast = perSecond(Kind.TOKEN_BUCKET, 2);
        Caller caller = caller();
        caller.take(Charge.of(fast, KEY, 2));
        caller.take(Charge.of(slow, KEY, 1));
        caller.take(Charge.of(slowToo, KEY, 1));
        Charge[] charges = {Charge.of(fast, KEY, 1), Charge.of(slowToo, KEY, 1), Charge.of(slow, KEY, 1)};
        Denied denied = caller.refused(charges);
        assertThat(denied.limit()).isEqualTo(slowToo.name());
        assertThat(denied.retryAfterMicros()).isEqualTo(SECOND);
    }

    @Test
    default void oneCostThatNeverComesLeavesNoRetryAfter() {
        Limit small = perSecond(Kind.TOKEN_BUCKET, 1);
        Limit large = perSecond(Kind.TOKEN_BUCKET, 10);
        Denied denied = caller().refused(Charge.of(large, KEY, 2), Charge.of(small, KEY, 2));
        assertThat(denied.retryAfter()).isNull();
        assertThat(denied.reason()).isEqualTo(DenialReason.COST_EXCEEDS_CAPACITY);
    }
}
