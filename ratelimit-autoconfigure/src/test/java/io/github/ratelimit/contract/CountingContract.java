/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One limit, one key: what is granted, what is denied, and what the numbers in the answer say. */
interface CountingContract extends StoreFixture {

    @ParameterizedTest
    @EnumSource
    default void startsUnused(Kind kind) {
        Limit limit = perSecond(kind, 5);
        assertThat(caller().state(limit, KEY)).isEqualTo(new Allowed(limit, 5, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    default void grantsThePermitsThereAreAndDeniesTheNext(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Charge one = kind.charge(limit, KEY, 1);
        Caller caller = caller();
        for (long left = 4; left >= 0; left--) {
            assertThat(caller.take(one).remaining()).isEqualTo(left);
        }
        Denied denied = caller.refused(one);
        assertThat(denied.reason()).isEqualTo(DenialReason.PERMITS_SPENT);
        assertThat(denied.remaining()).isZero();
        assertThat(denied.definition()).isEqualTo(limit);
    }

    @ParameterizedTest
    @EnumSource
    default void grantsAtRetryAfterAndNotAMicrosecondBefore(Kind kind) {
        Limit limit = kind.named(freshName())
                .permits(7)
                .period(A_SECOND.multipliedBy(10))
                .build();
        Caller caller = caller().after(123_457);
        caller.take(kind.charge(limit, KEY, 5));
        caller.after(400_009).take(kind.charge(limit, KEY, 2));
        Charge three = kind.charge(limit, KEY, 3);
        long retryAfter = caller.refused(three).retryAfterMicros();
        assertThat(caller.after(retryAfter - 1).refused(three).retryAfterMicros())
                .isEqualTo(1);
        caller.after(1).take(three);
    }

    @ParameterizedTest
    @EnumSource
    default void isUnusedAtResetAfterAndNotAMicrosecondBefore(Kind kind) {
        Limit limit = kind.named(freshName())
                .permits(7)
                .period(A_SECOND.multipliedBy(10))
                .build();
        Caller caller = caller().after(123_457);
        caller.take(kind.charge(limit, KEY, 1));
        caller.after(400_009);
        long resetAfter = caller.take(kind.charge(limit, KEY, 2)).resetAfterMicros();
        assertThat(caller.state(limit, KEY).resetAfterMicros()).isEqualTo(resetAfter);
        assertThat(caller.after(resetAfter - 1).state(limit, KEY).resetAfterMicros())
                .isEqualTo(1);
        assertThat(caller.after(1).state(limit, KEY)).isEqualTo(new Allowed(limit, 7, 0, 0));
        caller.take(kind.charge(limit, KEY, 7));
    }

    @ParameterizedTest
    @EnumSource
    default void denialChangesNothing(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 3));
        Decision before = caller.state(limit, KEY);
        for (int i = 0; i < 10; i++) {
            caller.refused(kind.charge(limit, KEY, 3));
        }
        assertThat(caller.state(limit, KEY)).isEqualTo(before);
        caller.take(kind.charge(limit, KEY, 2));
    }

    @ParameterizedTest
    @EnumSource
    default void costOfZeroIsAlwaysAllowed(Kind kind) {
        Limit limit = perSecond(kind, 2);
        Caller caller = caller();
        assertThat(caller.take(Charge.of(limit, KEY, 0))).isEqualTo(new Allowed(limit, 2, 0, 0));
        Allowed spent = caller.take(kind.charge(limit, KEY, 2));
        assertThat(caller.take(Charge.of(limit, KEY, 0))).isEqualTo(new Allowed(limit, 0, spent.resetAfterMicros(), 0));
    }

    @ParameterizedTest
    @EnumSource
    default void costAboveTheCapacityNeverComes(Kind kind) {
        Limit limit = kind.named(freshName()).permits(5).penalty(A_SECOND).build();
        Caller caller = caller();
        for (long cost : new long[] {6, 1_000_000_000_000L, Long.MAX_VALUE}) {
            Denied denied = caller.refused(kind.charge(limit, KEY, cost));
            assertThat(denied.reason()).isEqualTo(DenialReason.COST_EXCEEDS_CAPACITY);
            assertThat(denied.retryAfter()).isNull();
            assertThat(denied.remaining()).isEqualTo(5);
        }
        assertThat(caller.state(limit, KEY)).isEqualTo(new Allowed(limit, 5, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    default void costOfManyIsManyGrantsAtOneInstant(Kind kind) {
        Limit limit = kind.named(freshName())
                .permits(7)
                .period(A_SECOND.multipliedBy(10))
                .build();
        Caller caller = caller().after(98_765);
        caller.take(kind.charge(limit, "at once", 5));
        for (int i = 0; i < 5; i++) {
            caller.take(kind.charge(limit, "one by one", 1));
        }
        for (long later : new long[] {0, 1, 2_000_000, 5_000_000, 9_000_000}) {
            caller.at(T0 + 98_765 + later);
            for (long cost = 0; cost <= 7; cost++) {
                assertThat(caller.peek(kind.charge(limit, "at once", cost)))
                        .isEqualTo(caller.peek(kind.charge(limit, "one by one", cost)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    default void peekAnswersAsAcquireWouldAndChangesNothing(Kind kind) {
        Limit limit = kind.named(freshName()).permits(5).penalty(A_SECOND).build();
        for (long used = 0; used <= 5; used++) {
            for (long cost = 0; cost <= 6; cost++) {
                String key = used + "/" + cost;
                Caller caller = caller();
                caller.take(kind.charge(limit, key, used));
                Charge charge = kind.charge(limit, key, cost);
                Decision peeked = caller.peek(charge);
                assertThat(caller.peek(charge)).isEqualTo(peeked);
                assertThat(caller.acquire(charge)).isEqualTo(peeked);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    default void keysAndLimitsDoNotTouchEachOther(Kind kind) {
        Limit limit = perSecond(kind, 2);
        Limit other = perSecond(kind, 2);
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 2));
        assertThat(caller.state(limit, "bob")).isEqualTo(new Allowed(limit, 2, 0, 0));
        assertThat(caller.state(other, KEY)).isEqualTo(new Allowed(other, 2, 0, 0));
        assertThat(caller.state(limit, Limit.EVERYONE)).isEqualTo(new Allowed(limit, 2, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    default void algorithmsOfOneNameDoNotTouchEachOther(Kind kind) {
        String name = freshName();
        Limit limit = kind.named(name).permits(5).period(A_SECOND).build();
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 5));
        for (Kind other : Kind.values()) {
            boolean oneShape = limit.algorithm() == Algorithm.LEAKY_BUCKET
                    && other.named(name).permits(1).build().algorithm() == limit.algorithm();
            if (other != kind && !oneShape) {
                Limit another = other.named(name).permits(5).period(A_SECOND).build();
                assertThat(caller.state(another, KEY)).isEqualTo(new Allowed(another, 5, 0, 0));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    default void grantsAsManyAsThereAre(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        assertThat(caller.acquireUpTo(Charge.of(limit, KEY, 0)).granted()).isZero();
        assertThat(caller.acquireUpTo(Charge.of(limit, KEY, 3)).granted()).isEqualTo(3);
        assertThat(caller.acquireUpTo(Charge.of(limit, KEY, Long.MAX_VALUE)).granted())
                .isEqualTo(2);
        var nothing = caller.acquireUpTo(Charge.of(limit, KEY, 3));
        assertThat(nothing.granted()).isZero();
        assertThat(nothing.decision()).isEqualTo(caller.peek(Charge.of(limit, KEY, 1)));
        assertThat(nothing.decision().passes()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    default void countsTheLargestNumbersExactly(Kind kind) {
        Limit limit = kind.named(freshName())
                .permits(1_000_000)
                .period(Duration.ofDays(31))
                .build();
        Caller caller = caller();
        assertThat(caller.take(kind.charge(limit, KEY, 999_999)).remaining()).isEqualTo(1);
        assertThat(caller.acquireUpTo(Charge.of(limit, KEY, 2)).granted()).isEqualTo(1);
        caller.refused(kind.charge(limit, KEY, 1));
        Charge all = kind.charge(limit, KEY, 1_000_000);
        long retryAfter = caller.refused(all).retryAfterMicros();
        assertThat(caller.after(retryAfter - 1).refused(all).retryAfterMicros()).isEqualTo(1);
        caller.after(1).take(all);
    }
}
