/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Mixture;
import io.github.ratelimit.testkit.Switch;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Other numbers for the same limit hold from the next call, and give nobody a fresh counter. */
interface ChangedNumbersContract extends StoreFixture {

    int PAIRS = 12;

    private Limit limit(Kind kind, String name, long permits, long seconds) {
        return kind.named(name)
                .permits(permits)
                .period(Duration.ofSeconds(seconds))
                .build();
    }

    @ParameterizedTest
    @EnumSource(names = ".*WINDOW.*", mode = EnumSource.Mode.MATCH_ANY)
    default void windowsKeepTheirCount(Kind kind) {
        String name = freshName();
        Caller caller = caller();
        assertThat(caller.take(kind.charge(limit(kind, name, 100, 1), KEY, 30)).remaining())
                .isEqualTo(70);
        assertThat(caller.state(limit(kind, name, 50, 1), KEY).remaining()).isEqualTo(20);
        assertThat(caller.state(limit(kind, name, 20, 1), KEY).remaining()).isZero();
        Denied denied = caller.refused(kind.charge(limit(kind, name, 20, 1), KEY, 1));
        assertThat(denied.retryAfterMicros()).isLessThanOrEqualTo(2 * SECOND);
        assertThat(caller.take(kind.charge(limit(kind, name, 1_000, 1), KEY, 970))
                        .remaining())
                .isZero();
    }

    @ParameterizedTest
    @EnumSource(names = ".*WINDOW.*", mode = EnumSource.Mode.MATCH_ANY)
    default void windowsOfAnotherPeriodStartUnused(Kind kind) {
        String name = freshName();
        Caller caller = caller();
        caller.take(kind.charge(limit(kind, name, 10, 1), KEY, 10));
        caller.take(kind.charge(limit(kind, name, 10, 2), KEY, 10));
        caller.refused(kind.charge(limit(kind, name, 10, 1), KEY, 1));
    }

    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    default void bucketsKeepTheInstantAtWhichTheyAreFull(Kind kind) {
        String name = freshName();
        Limit before = kind.named(name)
                .permits(10)
                .period(Duration.ofSeconds(10))
                .burst(100L)
                .build();
        Limit slower = kind.named(name)
                .permits(10)
                .period(Duration.ofSeconds(20))
                .burst(100L)
                .build();
        Limit smaller = kind.named(name)
                .permits(10)
                .period(Duration.ofSeconds(10))
                .burst(20L)
                .build();
        Caller caller = caller();
        assertThat(caller.take(kind.charge(before, KEY, 40)).resetAfterMicros()).isEqualTo(40 * SECOND);
        assertThat(caller.state(slower, KEY).remaining()).isEqualTo(80);
        assertThat(caller.state(slower, KEY).resetAfterMicros()).isEqualTo(40 * SECOND);
        assertThat(caller.state(smaller, KEY).remaining()).isZero();
        assertThat(caller.state(smaller, KEY).resetAfterMicros()).isEqualTo(20 * SECOND);
        assertThat(caller.state(before, KEY).remaining()).isEqualTo(60);
    }

    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    default void nobodyStaysLockedOutLongerThanTheNewNumbersSay(Kind kind) {
        String name = freshName();
        Limit slow = limit(kind, name, 100, 100);
        Limit fast = limit(kind, name, 10, 1);
        Caller caller = caller();
        caller.take(kind.charge(slow, KEY, 100));
        Denied denied = caller.refused(kind.charge(fast, KEY, 1));
        assertThat(denied.resetAfterMicros()).isEqualTo(SECOND);
        assertThat(denied.retryAfterMicros()).isEqualTo(kind == Kind.TOKEN_BUCKET_INTERVAL ? SECOND : SECOND / 10);
        assertThat(caller.after(denied.retryAfterMicros() - 1)
                        .refused(kind.charge(fast, KEY, 1))
                        .retryAfterMicros())
                .isEqualTo(1);
        caller.after(1).take(kind.charge(fast, KEY, 1));
    }

    /** Two instances, of which one knows of the change already: a rolling restart, or the moment until an override is heard. */
    @ParameterizedTest
    @EnumSource
    default void twoInstancesAdmitNoMoreThanTheLargerNumbersDuringASwitch(Kind kind) {
        String name = freshName();
        Limit larger = limit(kind, name, 20, 20);
        Limit smaller = limit(kind, name, 5, 20);
        for (boolean fromLargerToSmaller : new boolean[] {true, false}) {
            String key = "switch " + fromLargerToSmaller;
            Caller caller = caller();
            long begin = caller.now();
            long granted = 0;
            for (int i = 0; i < 400; i++) {
                Limit numbers = (i % 3 == 0) == fromLargerToSmaller ? larger : smaller;
                granted += caller.at(begin + i * SECOND / 20)
                                .acquire(Charge.of(numbers, key, 1))
                                .passes()
                        ? 1
                        : 0;
            }
            // 20 seconds: buckets begin full and refill once
            assertThat(granted).isLessThanOrEqualTo(kind.isBucket() ? 40 : most(kind));
        }
    }

    /** The time to fill becomes shorter: what the new numbers cut, the old ones must not grant. */
    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    default void whatOneInstanceCutsAnotherDoesNotGrant(Kind kind) {
        String name = freshName();
        Limit before = limit(kind, name, 100, 60);
        Limit after = before.with().permits(50).burst(10L).build();
        Caller caller = caller();
        long granted = 0;
        for (int i = 0; i < 400; i++) {
            Limit numbers = i % 2 == 0 ? before : after;
            granted += caller.acquire(kind.charge(numbers, KEY, 1)).passes() ? 1 : 0;
        }
        assertThat(granted).isBetween(50L, 100L);
        caller.refused(kind.charge(before, KEY, 1));
        assertThat(caller.state(after, KEY).resetAfterMicros())
                .isEqualTo(kind == Kind.TOKEN_BUCKET_INTERVAL ? 60 * SECOND : 12 * SECOND);
        assertThat(caller.after(60 * SECOND).state(after, KEY).remaining()).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    default void twoInstancesWithAnyNumbersAdmitNoMoreThanTheLargerOfThem(Kind kind) {
        for (int seed = 0; seed < PAIRS; seed++) {
            Switch pair = Switch.of(kind, freshName(), seed);
            Caller caller = caller();
            assertThatNoException()
                    .as("seed %d: %s", seed, pair)
                    .isThrownBy(() -> pair.play(
                            caller.now(),
                            (at, numbers, cost) -> caller.at(at)
                                    .acquire(kind.charge(numbers, KEY, cost))
                                    .passes()));
        }
    }

    /** Of every second mixture two sets of numbers share a mark. */
    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    default void threeInstancesWithAnyNumbersAdmitNoMoreThanTheTimeAllows(Kind kind) {
        for (int seed = 0; seed < PAIRS; seed++) {
            Mixture mixture = Mixture.of(kind, freshName(), seed);
            Caller caller = caller();
            assertThatNoException()
                    .as("seed %d: %s", seed, mixture)
                    .isThrownBy(() -> mixture.play(
                            caller.now(),
                            150,
                            (at, numbers, cost) -> caller.at(at)
                                    .acquire(kind.charge(numbers, KEY, cost))
                                    .passes()));
        }
    }

    /** 20 a day and 2,000 an hour have one mark. */
    @ParameterizedTest
    @EnumSource(names = "TOKEN_BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    default void numbersWithOneMarkHaveNoFreshBucketAtEveryTurn(Kind kind) {
        String name = freshName();
        Limit day = limit(kind, name, 20, 86_400);
        Limit hour = limit(kind, name, 2_000, 3_600);
        Caller caller = caller();
        long granted = 0;
        for (int turn = 0; turn < 20; turn++) {
            granted += caller.acquire(Charge.of(day, KEY, 20)).passes() ? 20 : 0;
            caller.acquire(Charge.of(hour, KEY, 1));
        }
        assertThat(granted).isEqualTo(20);
    }

    /** What the larger numbers allow within one period. */
    private static long most(Kind kind) {
        return kind == Kind.FIXED_WINDOW || kind == Kind.SLIDING_WINDOW_COUNTER_WEIGHTED ? 40 : 20;
    }

    @ParameterizedTest
    @EnumSource
    default void changingToAndFroMintsNothing(Kind kind) {
        String name = freshName();
        Limit ten = limit(kind, name, 10, 10);
        Limit eleven = limit(kind, name, 11, 10);
        Caller caller = caller();
        long granted = 0;
        for (int i = 0; i < 40; i++) {
            granted += caller.acquire(kind.charge(i % 2 == 0 ? ten : eleven, KEY, 1))
                            .passes()
                    ? 1
                    : 0;
        }
        assertThat(granted).isLessThanOrEqualTo(11);
    }
}
