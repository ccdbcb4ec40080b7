/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A clock that steps back, or was far ahead. */
interface ClockContract extends StoreFixture {

    long YEAR = Duration.ofDays(365).toNanos() / 1_000;

    @ParameterizedTest
    @EnumSource
    default void aStepBackFreesNothing(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Charge one = kind.charge(limit, KEY, 1);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 5));
        for (long back : new long[] {1, 999_999, SECOND, 5 * SECOND, 3_600 * SECOND}) {
            assertThat(caller.at(T0 - back).refused(one).remaining()).isZero();
        }
        caller.at(T0).refused(one);
    }

    @ParameterizedTest
    @EnumSource
    default void aStepBackMintsNothing(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Charge one = kind.charge(limit, KEY, 1);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 3));
        caller.at(T0 - 5 * SECOND);
        long granted = 3;
        while (caller.acquire(one).passes()) {
            granted++;
        }
        caller.at(T0);
        while (caller.acquire(one).passes()) {
            granted++;
        }
        assertThat(granted).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    default void longSilenceLeavesItUnused(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 5));
        assertThat(caller.after(20 * YEAR).state(limit, KEY)).isEqualTo(new Allowed(limit, 5, 0, 0));
        caller.take(kind.charge(limit, KEY, 5));
    }

    @ParameterizedTest
    @EnumSource
    default void whatLiesAbsurdlyFarAheadCountsAsUnused(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller().at(T0 + YEAR);
        caller.take(kind.charge(limit, KEY, 5));
        caller.at(T0);
        assertThat(caller.state(limit, KEY)).isEqualTo(new Allowed(limit, 5, 0, 0));
        caller.take(kind.charge(limit, KEY, 5));
        caller.refused(kind.charge(limit, KEY, 1));
    }

    @ParameterizedTest
    @EnumSource
    default void aLockAbsurdlyFarAheadIsNone(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller().at(T0 + YEAR);
        caller.lock(limit, KEY, Duration.ofHours(1));
        assertThat(caller.at(T0).state(limit, KEY)).isEqualTo(new Allowed(limit, 5, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    default void countsFromTheVeryBeginningOfTime(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller().at(0);
        caller.take(kind.charge(limit, KEY, 5));
        Charge one = kind.charge(limit, KEY, 1);
        long retryAfter = caller.refused(one).retryAfterMicros();
        caller.at(retryAfter - 1).refused(one);
        caller.at(retryAfter).take(one);
    }
}
