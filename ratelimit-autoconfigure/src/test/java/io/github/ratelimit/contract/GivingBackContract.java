/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Refund and reset. */
interface GivingBackContract extends StoreFixture {

    @ParameterizedTest
    @EnumSource
    default void refundedPermitsCanBeTakenAgain(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 5));
        Decision told = caller.refund(Charge.of(limit, KEY, 2));
        assertThat(told).isEqualTo(caller.state(limit, KEY));
        assertThat(((Allowed) told).remaining()).isEqualTo(2);
        caller.take(kind.charge(limit, KEY, 2));
        caller.refused(kind.charge(limit, KEY, 1));
    }

    @ParameterizedTest
    @EnumSource
    default void refundNeverGoesPastUnused(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        Allowed unused = new Allowed(limit, 5, 0, 0);
        assertThat(caller.refund(Charge.of(limit, KEY, 3))).isEqualTo(unused);
        caller.take(kind.charge(limit, KEY, 2));
        assertThat(caller.refund(Charge.of(limit, KEY, Long.MAX_VALUE))).isEqualTo(unused);
        caller.take(kind.charge(limit, KEY, 5));
        caller.refused(kind.charge(limit, KEY, 1));
    }

    @ParameterizedTest
    @EnumSource
    default void theNewestGrantsGoBackFirst(Kind kind) {
        Limit limit = perSecond(kind, 7);
        Caller caller = caller();
        caller.take(kind.charge(limit, "a", 2), kind.charge(limit, "b", 2));
        caller.after(300_001).take(kind.charge(limit, "a", 1));
        caller.take(kind.charge(limit, "a", 2));
        caller.refund(Charge.of(limit, "a", 1));
        caller.refund(Charge.of(limit, "a", 2));
        for (long later : new long[] {0, 699_998, 699_999, 750_000, 1_000_000}) {
            caller.at(T0 + 300_001 + later);
            assertThat(caller.peek(kind.charge(limit, "a", 6))).isEqualTo(caller.peek(kind.charge(limit, "b", 6)));
            assertThat(caller.state(limit, "a")).isEqualTo(caller.state(limit, "b"));
        }
    }

    @ParameterizedTest
    @EnumSource
    default void refundReachesBackOverSeveralGrants(Kind kind) {
        Limit limit = kind.named(freshName())
                .permits(10)
                .period(A_SECOND.multipliedBy(10))
                .build();
        Caller caller = caller();
        for (int i = 0; i < 5; i++) {
            caller.after(1_000).take(kind.charge(limit, KEY, 2));
        }
        assertThat(((Allowed) caller.refund(Charge.of(limit, KEY, 7))).remaining())
                .isEqualTo(7);
        caller.take(kind.charge(limit, KEY, 7));
        caller.refused(kind.charge(limit, KEY, 1));
    }

    @ParameterizedTest
    @EnumSource
    default void refundOfNothingChangesNothing(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 3));
        Decision before = caller.state(limit, KEY);
        assertThat(caller.refund(Charge.of(limit, KEY, 0))).isEqualTo(before);
        assertThat(caller.state(limit, KEY)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    default void severalAreRefundedInOneCall(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Limit other = perSecond(kind, 3);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 4), kind.charge(other, KEY, 3));
        Decision told = caller.refund(Charge.of(limit, KEY, 2), Charge.of(other, KEY, 1));
        assertThat(told.parts()).containsExactly(caller.state(limit, KEY), caller.state(other, KEY));
        assertThat(((Allowed) told).remaining()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    default void resetForgetsOneKey(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 5));
        caller.take(kind.charge(limit, "bob", 5));
        caller.reset(limit, KEY);
        caller.reset(limit, "nobody");
        assertThat(caller.state(limit, KEY)).isEqualTo(new Allowed(limit, 5, 0, 0));
        caller.refused(kind.charge(limit, "bob", 1));
    }
}
