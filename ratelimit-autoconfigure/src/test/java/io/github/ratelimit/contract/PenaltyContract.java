/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Penalties that denials start, and locks that somebody sets. */
interface PenaltyContract extends StoreFixture {

    long MINUTE = 60 * SECOND;

    private Limit twoPerSecondThenAMinute(Kind kind) {
        return kind.named(freshName())
                .permits(2)
                .period(A_SECOND)
                .penalty(Duration.ofMinutes(1))
                .build();
    }

    @ParameterizedTest
    @EnumSource
    default void aDenialStartsThePenalty(Kind kind) {
        Limit limit = twoPerSecondThenAMinute(kind);
        Charge one = kind.charge(limit, KEY, 1);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 2));
        Denied denied = caller.refused(one);
        assertThat(denied).isEqualTo(new Denied(limit, DenialReason.PENALTY, 0, denied.resetAfterMicros(), MINUTE));
        assertThat(denied.resetAfterMicros()).isEqualTo(MINUTE);
        assertThat(caller.after(MINUTE - 1).refused(one).retryAfterMicros()).isEqualTo(1);
        assertThat(caller.after(1).take(one).remaining()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    default void denialsUnderAPenaltyDoNotExtendIt(Kind kind) {
        Limit limit = twoPerSecondThenAMinute(kind);
        Charge one = kind.charge(limit, KEY, 1);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 2));
        caller.refused(one);
        for (long at = 1; at < 60; at++) {
            Denied denied = caller.at(T0 + at * SECOND).refused(one);
            assertThat(denied.reason()).isEqualTo(DenialReason.PENALTY);
            assertThat(denied.remaining()).isZero();
            assertThat(denied.retryAfterMicros()).isEqualTo(MINUTE - at * SECOND);
            assertThat(caller.state(limit, KEY).remaining()).isZero();
        }
        caller.at(T0 + MINUTE).take(one);
    }

    @ParameterizedTest
    @EnumSource
    default void aShortPenaltyHandsOutNothing(Kind kind) {
        Limit limit = kind.named(freshName())
                .permits(2)
                .period(Duration.ofMinutes(1))
                .penalty(Duration.ofMillis(1))
                .build();
        Limit plain = limit.with().penalty(Duration.ZERO).build();
        Charge one = kind.charge(limit, "locked", 1);
        Caller caller = caller().after(77_777);
        caller.take(kind.charge(limit, "locked", 2));
        caller.take(kind.charge(plain, "plain", 2));
        Denied denied = caller.refused(one);
        Denied unlocked = caller.refused(kind.charge(plain, "plain", 1));
        assertThat(denied.reason()).isEqualTo(DenialReason.PENALTY);
        assertThat(denied.retryAfterMicros()).isEqualTo(unlocked.retryAfterMicros());
        assertThat(denied.resetAfterMicros()).isEqualTo(unlocked.resetAfterMicros());
        caller.after(denied.retryAfterMicros() - 1).refused(one);
    }

    @ParameterizedTest
    @EnumSource
    default void anotherLimitsDenialStartsNoPenalty(Kind kind) {
        Limit limit = twoPerSecondThenAMinute(kind);
        Limit other = perSecond(kind, 1);
        Caller caller = caller();
        caller.take(kind.charge(other, KEY, 1));
        caller.refused(kind.charge(limit, KEY, 1), kind.charge(other, KEY, 1));
        assertThat(caller.state(limit, KEY)).isEqualTo(new Allowed(limit, 2, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    default void eachLimitThatDeniesStartsItsOwnPenalty(Kind kind) {
        Limit limit = twoPerSecondThenAMinute(kind);
        Limit other = twoPerSecondThenAMinute(kind);
        Caller caller = caller();
        caller.take(kind.charge(other, KEY, 2), kind.charge(limit, KEY, 2));
        Denied denied = caller.refused(kind.charge(limit, KEY, 1), kind.charge(other, KEY, 1));
        assertThat(denied.parts())
                .allSatisfy(part -> assertThat(((Denied) part).reason()).isEqualTo(DenialReason.PENALTY));
        caller.after(MINUTE - 1).refused(kind.charge(limit, KEY, 1));
        caller.refused(kind.charge(other, KEY, 1));
    }

    @Test
    default void aDepartureThatIsTooLateStartsNoPenalty() {
        Limit limit = twoPerSecondThenAMinute(Kind.LEAKY_BUCKET);
        Charge late = Charge.of(limit, KEY, 1);
        Caller caller = caller();
        caller.take(late);
        Denied denied = new Denied(limit, DenialReason.WAIT_TOO_LONG, 1, SECOND / 2, SECOND / 2);
        assertThat(caller.refused(late)).isEqualTo(denied);
        assertThat(caller.refused(late.waiting(SECOND / 2 - 1)))
                .isEqualTo(new Denied(limit, DenialReason.WAIT_TOO_LONG, 1, SECOND / 2, 1));
        Limit other = perSecond(Kind.TOKEN_BUCKET, 1);
        assertThat(caller.refused(late, Charge.of(other, KEY, 1)).parts().get(0))
                .isEqualTo(denied);
        assertThat(caller.take(late.waiting(SECOND / 2)).delayMicros()).isEqualTo(SECOND / 2);
        assertThat(caller.refused(late).reason()).isEqualTo(DenialReason.PENALTY);
        assertThat(caller.after(MINUTE - 1).refused(late).retryAfterMicros()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    default void gettingNothingOfManyStartsThePenalty(Kind kind) {
        Limit limit = twoPerSecondThenAMinute(kind);
        Caller caller = caller();
        assertThat(caller.acquireUpTo(Charge.of(limit, KEY, 5)).granted()).isEqualTo(2);
        Denied denied = (Denied) caller.acquireUpTo(Charge.of(limit, KEY, 5)).decision();
        assertThat(denied.reason()).isEqualTo(DenialReason.PENALTY);
        assertThat(denied.retryAfterMicros()).isEqualTo(MINUTE);
        caller.after(MINUTE - 1).refused(kind.charge(limit, KEY, 1));
        assertThat(caller.acquireUpTo(Charge.of(limit, KEY, 1)).granted()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    default void aLockDeniesEveryCostButZero(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        caller.lock(limit, KEY, Duration.ofMinutes(1));
        Denied denied = caller.refused(kind.charge(limit, KEY, 1));
        assertThat(denied).isEqualTo(new Denied(limit, DenialReason.PENALTY, 0, MINUTE, MINUTE));
        assertThat(caller.take(Charge.of(limit, KEY, 0))).isEqualTo(new Allowed(limit, 0, MINUTE, 0));
        assertThat(caller.state(limit, "bob")).isEqualTo(new Allowed(limit, 5, 0, 0));
        assertThat(caller.after(MINUTE - 1).refused(kind.charge(limit, KEY, 1)).retryAfterMicros())
                .isEqualTo(1);
        assertThat(caller.after(1).take(kind.charge(limit, KEY, 1)).remaining()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    default void theLongerLockStays(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        caller.lock(limit, KEY, Duration.ofSeconds(10));
        caller.lock(limit, KEY, Duration.ofSeconds(5));
        assertThat(caller.refused(kind.charge(limit, KEY, 1)).retryAfterMicros())
                .isEqualTo(10 * SECOND);
        caller.lock(limit, KEY, Duration.ofSeconds(20));
        assertThat(caller.refused(kind.charge(limit, KEY, 1)).retryAfterMicros())
                .isEqualTo(20 * SECOND);
    }

    @ParameterizedTest
    @EnumSource
    default void theCounterAgesUnderALock(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 5));
        caller.lock(limit, KEY, Duration.ofMinutes(1));
        assertThat(caller.after(MINUTE).state(limit, KEY)).isEqualTo(new Allowed(limit, 5, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    default void aLockKeepsTheCounter(Kind kind) {
        Limit limit =
                kind.named(freshName()).permits(5).period(Duration.ofMinutes(1)).build();
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 5));
        caller.lock(limit, KEY, Duration.ofMillis(1));
        assertThat(caller.after(MILLI).refused(kind.charge(limit, KEY, 1)).reason())
                .isEqualTo(DenialReason.PERMITS_SPENT);
    }

    @ParameterizedTest
    @EnumSource
    default void refundLeavesTheLockAndResetLiftsIt(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 3));
        caller.lock(limit, KEY, Duration.ofMinutes(1));
        assertThat(caller.refund(Charge.of(limit, KEY, 2))).isEqualTo(new Allowed(limit, 0, MINUTE, 0));
        assertThat(caller.refund(Charge.of(limit, KEY, 2))).isEqualTo(new Allowed(limit, 0, MINUTE, 0));
        caller.refused(kind.charge(limit, KEY, 1));
        caller.reset(limit, KEY);
        assertThat(caller.state(limit, KEY)).isEqualTo(new Allowed(limit, 5, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    default void aLockOfAnImpossibleLengthIsRefused(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        assertThatThrownBy(() -> caller.lock(limit, KEY, Duration.ofSeconds(-3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3");
        assertThatThrownBy(() -> caller.lock(limit, KEY, Duration.ofDays(32)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("31");
        assertThat(caller.state(limit, KEY)).isEqualTo(new Allowed(limit, 5, 0, 0));
    }
}
