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

    @ParameterizedTest
    @EnumSource
    void viewIsForgottenAfterADay(Refill refill) {
        Limit slow = bucket(refill, 1, 100, Duration.ofHours(1));
        Key key = new Key(slow).at(NOW);
        key.acquire(100);
        key.under(bucket(refill, 3, 3, SECOND)).acquire(1);

        assertThat(key.under(slow).at(NOW + DAY).state()).isEqualTo("granted, 24 left, unused in 273600000000");
        assertThat(key.at(NOW + DAY + 999_999).isUnused()).isFalse();
        assertThat(key.at(NOW + DAY + 1_000_000).isUnused()).isTrue();
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

        assertThat(key.at(NOW - HOUR).isUnused()).isFalse();
        assertThat(key.at(NOW - HOUR - 1).looks()).isFalse();
        assertThat(key.isUnused()).isTrue();
    }
}
