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
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buckets whose callers wait in line, and who leaves the line. */
interface WaitingContract extends StoreFixture {

    /** One permit a second; a paced bucket has room for those who wait. */
    private Limit line(Kind kind) {
        long burst = kind == Kind.LEAKY_BUCKET ? 4 : 1;
        return kind.named(freshName()).permits(1).period(A_SECOND).burst(burst).build();
    }

    private Charge one(Limit limit) {
        return Charge.of(limit, KEY, 1).waiting(Charge.LONGEST_WAIT_MICROS);
    }

    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    default void aWaitAsLongAsAllowedIsGrantedAndAMicrosecondMoreIsNot(Kind kind) {
        Limit limit = line(kind);
        Caller caller = caller();
        assertThat(caller.take(one(limit)).delayMicros()).isZero();
        Denied denied = caller.refused(Charge.of(limit, KEY, 1));
        assertThat(denied.reason())
                .isEqualTo(kind == Kind.LEAKY_BUCKET ? DenialReason.WAIT_TOO_LONG : DenialReason.PERMITS_SPENT);
        long wait = denied.retryAfterMicros();
        assertThat(wait).isEqualTo(SECOND);
        Denied tooLong = caller.refused(one(limit).waiting(wait - 1));
        assertThat(tooLong.reason()).isEqualTo(DenialReason.WAIT_TOO_LONG);
        assertThat(tooLong.retryAfterMicros()).isEqualTo(1);
        assertThat(caller.take(one(limit).waiting(wait)).delayMicros()).isEqualTo(wait);
    }

    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    default void whoComesLaterWaitsLonger(Kind kind) {
        Limit limit = line(kind);
        Caller caller = caller();
        for (long place = 0; place < 4; place++) {
            Reservation reservation = caller.reserve(one(limit));
            assertThat(reservation.decision()).isInstanceOf(Allowed.class);
            assertThat(((Allowed) reservation.decision()).delayMicros()).isEqualTo(place * SECOND);
            assertThat(reservation.holds()).hasSize(1);
            assertThat(reservation.holds().get(0).dueMicros()).isEqualTo(T0 + place * SECOND);
        }
    }

    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    default void cancellingGivesBackWhatNobodyReservedAfter(Kind kind) {
        Limit limit = line(kind);
        Caller caller = caller();
        caller.take(one(limit));
        Reservation first = caller.reserve(one(limit));
        Decision before = caller.state(limit, KEY);
        Reservation second = caller.reserve(one(limit));
        assertThat(caller.cancel(first)).isZero();
        assertThat(caller.cancel(second)).isEqualTo(1);
        assertThat(caller.state(limit, KEY)).isEqualTo(before);
        assertThat(caller.cancel(first)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    default void aReservationWhoseTimeHasComeIsNotTakenBack(Kind kind) {
        Limit limit = line(kind);
        Caller caller = caller();
        caller.take(one(limit));
        Reservation intime = caller.reserve(one(limit));
        assertThat(caller.at(T0 + SECOND).cancel(intime)).isEqualTo(1);
        caller.at(T0).reset(limit, KEY);
        caller.take(one(limit));
        Reservation late = caller.reserve(one(limit));
        assertThat(caller.at(T0 + SECOND + 1).cancel(late)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    default void everyReservationsWaitIsServedThoughOthersPoll(Kind kind) {
        Limit limit = line(kind);
        Caller caller = caller();
        caller.take(one(limit));
        Reservation reservation = caller.reserve(one(limit));
        for (long at = 1; at < SECOND; at += 99_999) {
            caller.at(T0 + at).refused(Charge.of(limit, KEY, 1));
        }
        assertThat(((Allowed) reservation.decision()).delayMicros()).isEqualTo(SECOND);
        caller.at(T0 + SECOND).refused(Charge.of(limit, KEY, 1));
    }

    @ParameterizedTest
    @EnumSource(names = ".*WINDOW.*", mode = EnumSource.Mode.MATCH_ANY)
    default void windowsDoNotWait(Kind kind) {
        Limit limit = perSecond(kind, 1);
        Caller caller = caller();
        assertThat(caller.take(one(limit)).delayMicros()).isZero();
        Denied denied = caller.refused(one(limit));
        assertThat(denied.reason()).isEqualTo(DenialReason.PERMITS_SPENT);
    }

    @ParameterizedTest
    @EnumSource(names = ".*WINDOW.*", mode = EnumSource.Mode.MATCH_ANY)
    default void cancellingAWindowsChargeGivesItBack(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 1));
        Reservation reservation = caller.reserve(kind.charge(limit, KEY, 3));
        assertThat(caller.cancel(reservation)).isEqualTo(3);
        assertThat(caller.state(limit, KEY).remaining()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    default void aDeniedReservationHoldsNothing(Kind kind) {
        Limit limit = perSecond(kind, 1);
        Caller caller = caller();
        Reservation denied = caller.reserve(kind.charge(limit, KEY, 2));
        assertThat(denied.decision()).isInstanceOf(Denied.class);
        assertThat(denied.holds()).isEmpty();
        assertThat(caller.cancel(denied)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    default void reservingAnswersAsAcquiring(Kind kind) {
        Limit limit = kind.named(freshName()).permits(5).penalty(A_SECOND).build();
        Caller caller = caller();
        for (long cost : new long[] {0, 2, 1, 3, 6, 1}) {
            assertThat(caller.reserve(kind.charge(limit, "a", cost)).decision())
                    .isEqualTo(caller.acquire(kind.charge(limit, "b", cost)));
        }
    }

    @Test
    default void theLongestWaitOfSeveralBucketsIsTheCallsAndAllAreCancelled() {
        Limit fast = Kind.TOKEN_BUCKET
                .named(freshName())
                .permits(10)
                .period(A_SECOND)
                .burst(1L)
                .build();
        Limit slow = Kind.TOKEN_BUCKET
                .named(freshName())
                .permits(2)
                .period(A_SECOND)
                .burst(1L)
                .build();
        Caller caller = caller();
        caller.take(one(fast), one(slow));
        Reservation reservation = caller.reserve(one(fast), one(slow));
        assertThat(((Allowed) reservation.decision()).delayMicros()).isEqualTo(500_000);
        assertThat(reservation.holds()).hasSize(2);
        assertThat(caller.cancel(reservation)).isEqualTo(2);
        assertThat(caller.state(slow, KEY).resetAfterMicros()).isEqualTo(500_000);
        assertThat(caller.state(fast, KEY).resetAfterMicros()).isEqualTo(100_000);
    }
}
