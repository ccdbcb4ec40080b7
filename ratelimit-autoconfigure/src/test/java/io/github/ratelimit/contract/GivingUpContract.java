/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.GivingBack;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of several limits that give up while one of these makes them wait: what the others lent them. */
interface GivingUpContract extends StoreFixture {

    /** So many permits every second or 10 s, and as many at once. */
    private Limit lending(Kind kind, long permits, long seconds) {
        return kind.named(freshName())
                .permits(permits)
                .period(Duration.ofSeconds(seconds))
                .build();
    }

    /** Spent: whoever calls it next has to wait for 20 s. */
    private Charge spent(Caller caller) {
        Limit slow = Kind.TOKEN_BUCKET
                .named(freshName())
                .permits(1)
                .period(Duration.ofSeconds(20))
                .build();
        Charge one = Charge.of(slow, KEY, 1).waiting(Charge.LONGEST_WAIT_MICROS);
        caller.take(one);
        return one;
    }

    private Reservation waiting(Caller caller, Charge lent, Charge slow) {
        Reservation reservation = caller.reserve(lent, slow);
        assertThat(((Allowed) reservation.decision()).delayMicros()).isPositive();
        assertThat(reservation.holds()).hasSize(2);
        return reservation;
    }

    private long givenUp(Caller caller, Reservation reservation) {
        return caller.cancel(GivingBack.cancelled(reservation));
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "TOKEN_BUCKET_INTERVAL", "LEAKY_BUCKET_METER"})
    default void whatTimeHasRepaidIsNotGivenBackOnceMore(Kind kind) {
        Limit limit = kind == Kind.TOKEN_BUCKET_INTERVAL
                ? kind.named(freshName()).permits(100).period(A_SECOND).build()
                : kind.named(freshName())
                        .permits(10)
                        .period(A_SECOND)
                        .burst(100L)
                        .build();
        Caller caller = caller();
        Reservation reservation = waiting(caller, Charge.of(limit, KEY, 100), spent(caller));
        caller.at(T0 + 10 * SECOND).take(Charge.of(limit, KEY, 100));
        caller.after(10_000);
        assertThat(givenUp(caller, reservation)).as("of the other limit").isEqualTo(1);
        caller.after(10_000).refused(Charge.of(limit, KEY, 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "TOKEN_BUCKET_INTERVAL", "LEAKY_BUCKET_METER"})
    default void nobodyIsGrantedBesideWhoReservedBehindIt(Kind kind) {
        Limit limit = lending(kind, 1, 10);
        Charge one = Charge.of(limit, KEY, 1);
        Caller caller = caller();
        Reservation reservation = waiting(caller, one, spent(caller));
        assertThat(caller.after(SECOND)
                        .take(one.waiting(Charge.LONGEST_WAIT_MICROS))
                        .delayMicros())
                .isEqualTo(9 * SECOND);
        assertThat(givenUp(caller, reservation)).as("of the other limit").isEqualTo(1);
        caller.at(T0 + 10 * SECOND).refused(one);
        caller.at(T0 + 20 * SECOND).take(one);
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET_METER"})
    default void whatTimeHasNotRepaidIsGivenBack(Kind kind) {
        Limit limit = lending(kind, 10, 10);
        Caller caller = caller();
        caller.take(Charge.of(limit, KEY, 2));
        Reservation reservation = waiting(caller, Charge.of(limit, KEY, 4), spent(caller));
        caller.after(3 * SECOND + 500_000);
        assertThat(givenUp(caller, reservation)).isEqualTo(3 + 1);
        assertThat(caller.state(limit, KEY)).isEqualTo(new Allowed(limit, 10, 0, 0));
    }

    @Test
    default void whatTheTicksHaveNotRepaidIsGivenBack() {
        Limit limit = Kind.TOKEN_BUCKET_INTERVAL
                .named(freshName())
                .permits(3)
                .period(A_SECOND)
                .burst(10L)
                .build();
        Caller caller = caller();
        Reservation reservation = waiting(caller, Charge.of(limit, KEY, 7), spent(caller));
        assertThat(givenUp(caller.after(SECOND), reservation)).isEqualTo(4 + 1);
        assertThat(caller.state(limit, KEY)).isEqualTo(new Allowed(limit, 10, 0, 0));
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "TOKEN_BUCKET_INTERVAL", "LEAKY_BUCKET_METER"})
    default void ofSeveralWhoGiveUpTheLastComesFirst(Kind kind) {
        Limit limit = lending(kind, 10, 10);
        Caller caller = caller();
        Charge slow = spent(caller);
        Reservation first = waiting(caller, Charge.of(limit, KEY, 2), slow);
        Reservation second = waiting(caller, Charge.of(limit, KEY, 3), slow);
        assertThat(givenUp(caller, second)).isEqualTo(3 + 1);
        assertThat(givenUp(caller, first)).isEqualTo(2 + 1);
        assertThat(caller.state(limit, KEY)).isEqualTo(new Allowed(limit, 10, 0, 0));
    }

    /** The first one's way back has the second repaid sooner than it knows of: of that it gets what its own time has left. */
    @Test
    default void ofSeveralWhoGiveUpTheFirstComesFirst() {
        Limit limit = lending(Kind.TOKEN_BUCKET, 20, 20);
        Caller caller = caller();
        Charge slow = spent(caller);
        Reservation first = waiting(caller, Charge.of(limit, KEY, 10), slow);
        Reservation second = waiting(caller, Charge.of(limit, KEY, 10), slow);
        assertThat(givenUp(caller, first)).isEqualTo(10);
        caller.after(9 * SECOND).take(Charge.of(limit, KEY, 9));
        assertThat(givenUp(caller.after(10 * MILLI), second)).isEqualTo(1 + 1);
        caller.take(Charge.of(limit, KEY, 11));
        caller.refused(Charge.of(limit, KEY, 1));
    }

    /** On its way from store to store, say: they may come in such numbers that all their time together is what the bucket gets. */
    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET_METER"})
    default void aCallThatDidNotWaitIsGivenBackThoughOthersCameSince(Kind kind) {
        Limit limit = lending(kind, 10, 10);
        Caller caller = caller();
        caller.take(Charge.of(limit, KEY, 5));
        Reservation reservation = caller.reserve(Charge.of(limit, KEY, 2));
        caller.take(Charge.of(limit, KEY, 3));
        assertThat(givenUp(caller.after(MILLI), reservation)).isEqualTo(2);
        assertThat(caller.state(limit, KEY).resetAfterMicros()).isEqualTo(8 * SECOND - MILLI);
        assertThat(givenUp(caller.at(T0 + 7 * SECOND), reservation)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "TOKEN_BUCKET_INTERVAL", "LEAKY_BUCKET_METER"})
    default void aCallThatWaitsIsGivenBackThoughOthersCameSince(Kind kind) {
        Limit limit = lending(kind, 10, 10);
        Caller caller = caller();
        Reservation reservation = waiting(caller, Charge.of(limit, KEY, 2), spent(caller));
        caller.take(Charge.of(limit, KEY, 3));
        assertThat(givenUp(caller, reservation)).isEqualTo(2 + 1);
        assertThat(caller.state(limit, KEY).remaining()).isEqualTo(7);
    }

    /** Another one's way back may have filled the bucket since, so that time had nothing to repay. */
    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET_METER"})
    default void aCallWhoseTripTookLongerThanItsTimeIsNotGivenBackOnceOthersCame(Kind kind) {
        Limit limit = lending(kind, 10, 10);
        Caller caller = caller();
        Reservation first = caller.reserve(Charge.of(limit, KEY, 5));
        Reservation second = caller.reserve(Charge.of(limit, KEY, 5));
        assertThat(givenUp(caller, first)).isEqualTo(5);
        caller.at(T0 + 6 * SECOND).take(Charge.of(limit, KEY, 10));
        assertThat(givenUp(caller, second)).isZero();
        caller.refused(Charge.of(limit, KEY, 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "TOKEN_BUCKET_INTERVAL", "LEAKY_BUCKET_METER"})
    default void aCallThatDidNotWaitIsNotGivenBackWhileOthersWaitBehindIt(Kind kind) {
        Limit limit = lending(kind, 1, 10);
        Charge one = Charge.of(limit, KEY, 1);
        Caller caller = caller();
        Reservation reservation = caller.reserve(one);
        caller.take(one.waiting(Charge.LONGEST_WAIT_MICROS));
        assertThat(givenUp(caller.after(MILLI), reservation)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "TOKEN_BUCKET_INTERVAL", "LEAKY_BUCKET_METER"})
    default void nothingIsGivenBackBeforeItWasCharged(Kind kind) {
        Limit limit = lending(kind, 10, 10);
        Caller caller = caller();
        Reservation reservation = waiting(caller, Charge.of(limit, KEY, 10), spent(caller));
        assertThat(givenUp(caller.at(T0 - 11 * SECOND), reservation)).isEqualTo(1);
        assertThat(caller.at(T0).state(limit, KEY).remaining()).isZero();
    }
}
