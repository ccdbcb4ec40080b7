/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Refill;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bucket that smaller numbers have cut, in the eyes of all numbers that count it. */
class CutBucketTests {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long MINUTE_MICROS = 60_000_000L;
    private static final long HOUR = 60 * MINUTE_MICROS;
    private static final long DAY = 24 * HOUR;

    /** A tick of seconds and of minutes. */
    private static final long NOW = 1_800_000_000_000_000L;

    private static Limit bucket(Refill refill, long permits, long burst, Duration period) {
        return Limit.named("orders")
                .refill(refill)
                .permits(permits)
                .burst(burst)
                .period(period)
                .build();
    }

    @Test
    void greedyViewsMoveWithEveryChargeAndRefund() {
        Limit large = bucket(Refill.GREEDY, 100, 1_000, SECOND);
        Limit small = bucket(Refill.GREEDY, 3, 3, SECOND);
        Key key = new Key(large).at(NOW);
        key.acquire(1_000);
        key.under(small).acquire(1);

        key.at(NOW + 500_000);
        assertThat(key.under(large).acquire(10)).isEqualTo("granted, 40 left, unused in 9600000");
        assertThat(key.under(small).state()).isEqualTo("granted, 1 left, unused in 600000");

        // a permit takes 333,333 1/3 microseconds: charged to others rounded up, given back rounded down
        assertThat(key.acquire(1)).isEqualTo("granted, 0 left, unused in 933334");
        assertThat(key.under(large).state()).isEqualTo("granted, 6 left, unused in 9933334");
        assertThat(key.under(small).refund(1)).isEqualTo("granted, 1 left, unused in 600000");
        assertThat(key.under(large).state()).isEqualTo("granted, 39 left, unused in 9600001");

        // no more than the 600,000 that were charged
        assertThat(key.under(small).refund(9)).isEqualTo("granted, 3 left, unused in 0");
        assertThat(key.under(large).state()).isEqualTo("granted, 99 left, unused in 9000001");
    }

    @Test
    void greedyViewThatOthersFilledIsCutForItsOwnNumbersToo() {
        Limit large = bucket(Refill.GREEDY, 100, 1_000, SECOND);
        Limit small = bucket(Refill.GREEDY, 3, 3, SECOND);
        Key key = new Key(large).at(NOW);
        key.acquire(1_000);
        key.under(small).acquire(1);
        key.at(NOW + 1_000_000);
        for (int i = 0; i < 3; i++) {
            key.acquire(1);
        }

        // 2 microseconds more than a bucket: the denial cuts them
        assertThat(key.under(large).acquire(1)).startsWith("PERMITS_SPENT, 0 left, unused in 10000000");
        key.under(small).at(NOW + 1_333_334).acquire(1);
        assertThat(key.under(large).at(NOW + 1_433_334).state()).isEqualTo("granted, 10 left, unused in 9900000");
        // numbers that never wrote still see them
        Limit larger = bucket(Refill.GREEDY, 100, 2_000, SECOND);
        assertThat(key.under(larger).state()).isEqualTo("granted, 1009 left, unused in 9900002");
    }

    @Test
    void intervalViewsMoveWithEveryChargeAndRefund() {
        Limit four = bucket(Refill.INTERVAL, 4, 10, SECOND);
        Limit five = bucket(Refill.INTERVAL, 5, 14, SECOND);
        Key key = new Key(four).at(NOW);
        key.acquire(9);
        assertThat(key.under(five).acquire(14)).startsWith("PERMITS_SPENT, 0 left, unused in 3000000");

        // full at 3 s, less 3 permits
        assertThat(key.under(four).state()).isEqualTo("granted, 1 left, unused in 3000000");
        key.at(NOW + 1_000_000);
        assertThat(key.state()).isEqualTo("granted, 5 left, unused in 2000000");

        // 2 of 5 take 0.4 s: 3.4 s
        assertThat(key.under(five).acquire(2)).isEqualTo("granted, 3 left, unused in 3000000");
        assertThat(key.under(four).state()).isEqualTo("granted, 3 left, unused in 2000000");

        // 12 of 5 take 2.4 s: 5.8 s
        key.at(NOW + 3_000_000);
        assertThat(key.under(five).acquire(12)).isEqualTo("granted, 1 left, unused in 3000000");
        assertThat(key.under(four).state()).isEqualTo("granted, 1 left, unused in 3000000");

        // 6 of 5 take 1.2 s: 4.6 s
        assertThat(key.under(five).refund(6)).isEqualTo("granted, 7 left, unused in 2000000");
        assertThat(key.under(four).state()).isEqualTo("granted, 6 left, unused in 1000000");

        // 1 of 4 takes 0.25 s: 5.25 s for the others, less the 3 permits that they had too many
        assertThat(key.acquire(1)).isEqualTo("granted, 5 left, unused in 2000000");
        assertThat(key.under(five).state()).isEqualTo("granted, 5 left, unused in 2000000");
    }

    /** Five at once every 5 s are worth 5 s of time, however much of it has passed. */
    private static Key cutByFiveAtOnce(long micros, long cost) {
        Key key = new Key(bucket(Refill.INTERVAL, 4, 10, SECOND)).at(NOW + micros);
        key.acquire(cost);
        assertThat(key.under(bucket(Refill.INTERVAL, 5, 5, Duration.ofSeconds(5)))
                        .acquire(1))
                .startsWith("PERMITS_SPENT");
        return key;
    }

    @Test
    void intervalViewThatOthersFilledLacksABucketAndWhatTheTimeSinceTheTickIsWorth() {
        Key key = cutByFiveAtOnce(4_500_000, 10);
        assertThat(key.at(NOW + 5_000_000).acquire(5)).startsWith("granted");

        // full at 7 s, moved to 12 s: 26 permits, of which 10 count
        key.under(bucket(Refill.INTERVAL, 4, 10, SECOND));
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 3000000");
        // and half a second later 2 more
        assertThat(key.at(NOW + 5_500_000).state()).isEqualTo("granted, 0 left, unused in 2500000");
    }

    @Test
    void intervalViewThatOthersFilledCountsAsItIsIfItIsNoMoreThanThat() {
        Key key = cutByFiveAtOnce(4_300_000, 7);
        assertThat(key.at(NOW + 5_300_000).acquire(2)).startsWith("granted");

        // full at 6 s, moved to 8 s: three ticks of 4 less 1. With 3 more 14 are missing: those beyond 10 come with one
        // tick
        key.under(bucket(Refill.INTERVAL, 4, 10, SECOND));
        assertThat(key.peek(3, 700_000)).isEqualTo("granted, 0 left, unused in 3700000, delay 700000");
        assertThat(key.peek(4, 700_000)).startsWith("WAIT_TOO_LONG");
    }

    @ParameterizedTest
    @EnumSource
    void threeViewsAreKeptBesideTheLast(Refill refill) {
        Key key = new Key(bucket(refill, 1, 50, MINUTE)).at(NOW);
        key.acquire(50);
        for (int burst = 40; burst > 0; burst -= 10) {
            key.under(bucket(refill, 1, burst, MINUTE)).acquire(1);
        }

        key.at(NOW + MINUTE_MICROS);
        assertThat(key.under(bucket(refill, 1, 50, MINUTE)).state()).isEqualTo("granted, 1 left, unused in 2940000000");
        assertThat(key.under(bucket(refill, 1, 40, MINUTE)).state()).isEqualTo("granted, 1 left, unused in 2340000000");
        assertThat(key.under(bucket(refill, 1, 30, MINUTE)).state()).isEqualTo("granted, 1 left, unused in 1740000000");
        // forgotten: cut anew from the 49
        assertThat(key.under(bucket(refill, 1, 20, MINUTE)).state()).isEqualTo("granted, 0 left, unused in 1200000000");
        assertThat(key.under(bucket(refill, 1, 10, MINUTE)).state()).isEqualTo("granted, 1 left, unused in 540000000");
    }

    /** However long its numbers have not been asked. */
    @ParameterizedTest
    @EnumSource
    void viewStaysUntilItIsFull(Refill refill) {
        Limit slow = bucket(refill, 1, 100, Duration.ofHours(1));
        Key key = new Key(slow).at(NOW);
        key.acquire(100);
        key.under(bucket(refill, 3, 3, SECOND)).acquire(1);

        assertThat(key.under(slow).at(NOW + 2 * DAY).state()).isEqualTo("granted, 48 left, unused in 187200000000");
        assertThat(key.at(NOW + 100 * HOUR - 1).isUnused()).isFalse();
        assertThat(key.at(NOW + 100 * HOUR).isUnused()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void unusedOnceAllViewsAreFull(Refill refill) {
        Limit small = bucket(refill, 1, 3, MINUTE);
        Key key = new Key(bucket(refill, 1, 10, MINUTE)).at(NOW);
        key.acquire(10);
        key.under(small).acquire(1);

        assertThat(key.at(NOW + 3 * MINUTE_MICROS).state()).isEqualTo("granted, 3 left, unused in 0");
        assertThat(key.at(NOW + 10 * MINUTE_MICROS - 1).isUnused()).isFalse();
        assertThat(key.at(NOW + 10 * MINUTE_MICROS).isUnused()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void absurdFutureHasNoOtherViews(Refill refill) {
        Limit small = bucket(refill, 1, 3, MINUTE);
        Key key = new Key(bucket(refill, 1, 10, MINUTE)).at(NOW);
        key.acquire(10);
        key.under(small).acquire(1);

        // what was moved and cut ends at a tick, which may lie beyond a whole bucket
        long furthest = NOW - HOUR - (refill == Refill.INTERVAL ? MINUTE_MICROS : 0);
        assertThat(key.at(furthest).looks()).isTrue();
        assertThat(key.isUnused()).isFalse();
        assertThat(key.at(furthest - 1).looks()).isFalse();
        assertThat(key.isUnused()).isTrue();
    }

    /** 20 a day and 2,000 an hour have one mark: the ones cannot tell the others' instant from that of a clock that jumped. */
    @ParameterizedTest
    @EnumSource
    void numbersWithOneMarkHaveOneBucketMoreAtMost(Refill refill) {
        Limit day = bucket(refill, 20, 20, Duration.ofDays(1));
        Limit hour = bucket(refill, 2_000, 2_000, Duration.ofHours(1));
        assertThat(day.fingerprint()).isEqualTo(hour.fingerprint());

        assertThat(grantedAtOneInstant(day, hour)).isEqualTo(20 + 2_000);
        assertThat(grantedAtOneInstant(hour, day)).isEqualTo(refill == Refill.GREEDY ? 2_000 + 19 + 2_000 : 2_000);
    }

    @Test
    void numbersWithOneMarkBesideAThirdHaveTheLongestBucketOnly() {
        Limit slow = bucket(Refill.GREEDY, 1, 19, Duration.ofSeconds(4));
        Limit third = bucket(Refill.GREEDY, 19, 1, Duration.ofSeconds(2));
        Limit same = bucket(Refill.GREEDY, 16, 13, SECOND);
        assertThat(slow.fingerprint()).isEqualTo(same.fingerprint());

        assertThat(grantedAtOneInstant(slow, third, same)).isEqualTo(19);
    }

    /** A slack of 999 would be worth ten ticks of 100. */
    @Test
    void slackIsReadByItsOwnNumbersOnly() {
        Limit many = bucket(Refill.INTERVAL, 1_000, 9_000, SECOND);
        Limit few = bucket(Refill.INTERVAL, 100, 265, SECOND);
        assertThat(few.fingerprint()).isEqualTo(many.fingerprint());
        Key key = new Key(many).at(NOW);
        key.acquire(8_001);

        assertThat(key.under(few).acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 3000000, again in 1000000");
        assertThat(key.under(many).state()).isEqualTo("granted, 999 left, unused in 9000000");
    }

    private static long grantedAtOneInstant(Limit... turns) {
        Key key = new Key(turns[0]).at(NOW);
        long granted = 0;
        for (int turn = 0; turn < 50 * turns.length; turn++) {
            key.under(turns[turn % turns.length]);
            while (key.decide(1, 0, true).passes()) {
                granted++;
            }
        }
        return granted;
    }

    @ParameterizedTest
    @EnumSource
    void whatCountsAsUnusedStaysForOthersWithTheSameMark(Refill refill) {
        Limit day = bucket(refill, 20, 20, Duration.ofDays(1));
        Limit hour = bucket(refill, 2_000, 2_000, Duration.ofHours(1));
        Key key = new Key(day).at(NOW);
        key.acquire(20);

        assertThat(key.under(hour).looks()).isFalse();
        assertThat(key.acquire(1)).startsWith("granted, 1999 left");
        assertThat(key.looks()).isTrue();
        assertThat(key.under(day).acquire(1)).startsWith("PERMITS_SPENT, 0 left");
        assertThat(key.under(hour).acquire(1)).startsWith("granted, 1998 left");
    }

    /** Whatever the clock does next: what was written since is certainly the numbers' own. */
    @ParameterizedTest
    @EnumSource
    void afterAClockThatJumpedTheBucketIsUnusedOnce(Refill refill) {
        Limit small = bucket(refill, 1, 3, MINUTE);
        Key key = new Key(small).at(NOW + 30 * DAY);
        key.acquire(3);

        key.at(NOW);
        assertThat(key.looks()).isFalse();
        assertThat(key.acquire(3)).isEqualTo("granted, 0 left, unused in 180000000");
        assertThat(key.looks()).isTrue();
        assertThat(key.acquire(1)).startsWith("PERMITS_SPENT");
        assertThat(key.at(NOW + 2 * HOUR).acquire(1)).isEqualTo("granted, 2 left, unused in 60000000");
        assertThat(key.at(NOW + 29 * DAY).state()).isEqualTo("granted, 3 left, unused in 0");
        key.acquire(2);
        assertThat(key.at(NOW).looks()).isFalse();
        assertThat(key.isUnused()).isTrue();
    }

    /** One permit a second by both: at its ticks the one cuts what the other charged since. */
    @Test
    void twoSetsOfNumbersOfOneRateGetNoMoreThanIt() {
        Limit one = bucket(Refill.INTERVAL, 1, 8, SECOND);
        Limit other = bucket(Refill.INTERVAL, 5, 18, Duration.ofSeconds(5));
        Key key = new Key(one);
        long granted = 0;
        for (long second = 0; second < 400; second++) {
            for (Limit limit : new Limit[] {one, other}) {
                key.under(limit).at(NOW + second * 1_000_000);
                while (key.decide(1, 0, true).passes()) {
                    granted++;
                }
            }
        }
        assertThat(granted).isBetween(399L, 400L + 18 + 1 + 5);
    }

    @ParameterizedTest
    @EnumSource
    void numbersBySecondsDoNotForgetThoseByTheMonth(Refill refill) {
        Limit month = bucket(refill, 1_000, 1_000, Duration.ofDays(31));
        Limit hour = bucket(refill, 60, 60, Duration.ofHours(1));
        Key key = new Key(month);
        long granted = 0;
        for (long minute = 0; minute < 10 * 24 * 60; minute++) {
            key.at(NOW + minute * MINUTE_MICROS);
            granted += key.under(month).decide(100, 0, true).passes() ? 100 : 0;
            key.under(hour).acquire(1);
        }
        assertThat(granted).isEqualTo(1_000);
    }
}
