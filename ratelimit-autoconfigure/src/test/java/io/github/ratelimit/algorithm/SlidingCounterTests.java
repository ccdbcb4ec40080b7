/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlidingCounterTests {

    private static final long HOUR = 3_600_000_000L;

    /** The beginning of a day. */
    private static final long NOW = 20_000L * 24 * HOUR;

    /** Four slots of 250 ms. */
    private static final Limit STRICT = counter(10, 4, true);

    private static final Limit WEIGHTED = counter(10, 4, false);

    /** The classic estimate of two windows. */
    private static final Limit CLASSIC = counter(10, 1, false);

    private static Limit counter(long permits, int slots, boolean strict) {
        return Limit.named("orders")
                .algorithm(Algorithm.SLIDING_WINDOW_COUNTER)
                .slots(slots)
                .strict(strict)
                .permits(permits)
                .period(Duration.ofSeconds(1))
                .build();
    }

    /** 4 in the first slot, 3 in the second, 3 in the fourth. */
    private static Key spent(Limit limit) {
        Key key = new Key(limit).at(NOW);
        assertThat(key.acquire(4)).isEqualTo("granted, 6 left, unused in 1250000");
        assertThat(key.at(NOW + 300_000).acquire(3)).isEqualTo("granted, 3 left, unused in 1200000");
        assertThat(key.at(NOW + 999_999).acquire(3)).isEqualTo("granted, 0 left, unused in 1000001");
        return key;
    }

    @Test
    void strictCountsTheLeavingSlotInFull() {
        Key key = spent(STRICT);

        assertThat(key.at(NOW + 1_249_999).acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 750001, again in 1");
        assertThat(key.at(NOW + 1_250_000).state()).isEqualTo("granted, 4 left, unused in 750000");
        assertThat(key.at(NOW + 1_500_000).state()).isEqualTo("granted, 7 left, unused in 500000");
        assertThat(key.at(NOW + 1_999_999).state()).isEqualTo("granted, 7 left, unused in 1");
        assertThat(key.at(NOW + 2_000_000).state()).isEqualTo("granted, 10 left, unused in 0");
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void strictTellsWhenEnoughSlotsHaveLeft() {
        Key key = spent(STRICT).at(NOW + 1_000_001);

        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 999999, again in 249999");
        assertThat(key.acquire(4)).isEqualTo("PERMITS_SPENT, 0 left, unused in 999999, again in 249999");
        assertThat(key.acquire(5)).isEqualTo("PERMITS_SPENT, 0 left, unused in 999999, again in 499999");
        assertThat(key.acquire(8)).isEqualTo("PERMITS_SPENT, 0 left, unused in 999999, again in 999999");
        assertThat(key.acquire(10, HOUR)).isEqualTo("PERMITS_SPENT, 0 left, unused in 999999, again in 999999");
    }

    @Test
    void weightedCountsTheLeavingSlotByItsOverlap() {
        Key key = spent(WEIGHTED);

        // of the 4 in the leaving slot: 4 * (250,000 - x) / 250,000
        assertThat(key.at(NOW + 1_000_000).acquire(1))
                .isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 62500");
        assertThat(key.at(NOW + 1_062_499).acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 937501, again in 1");
        assertThat(key.at(NOW + 1_062_500).peek(1)).isEqualTo("granted, 0 left, unused in 1187500");
        assertThat(key.at(NOW + 1_125_000).state()).isEqualTo("granted, 2 left, unused in 875000");
        assertThat(key.at(NOW + 1_249_999).state()).isEqualTo("granted, 3 left, unused in 750001");
        assertThat(key.at(NOW + 1_250_000).state()).isEqualTo("granted, 4 left, unused in 750000");
        assertThat(key.at(NOW + 1_250_000).acquire(5))
                .isEqualTo("PERMITS_SPENT, 4 left, unused in 750000, again in 83334");
    }

    @Test
    void weightedTellsTheInstantInALaterSlot() {
        Key key = spent(WEIGHTED).at(NOW + 1_000_000);

        assertThat(key.acquire(4)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 250000");
        assertThat(key.acquire(5)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 333334");
        assertThat(key.acquire(7)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 500000");
        // nobody is on the edge in the slot between: the last three leave from 1,750,000 on
        assertThat(key.acquire(8)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 833334");
        assertThat(key.acquire(10)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 1000000");
    }

    @Test
    void classicEstimateOfTwoWindows() {
        Key key = new Key(CLASSIC).at(NOW + 900_000);
        assertThat(key.acquire(10)).isEqualTo("granted, 0 left, unused in 1100000");

        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1100000, again in 200000");
        key.at(NOW + 1_500_000);
        assertThat(key.acquire(6)).isEqualTo("PERMITS_SPENT, 5 left, unused in 500000, again in 100000");
        assertThat(key.acquire(5)).isEqualTo("granted, 0 left, unused in 1500000");
        // 1 permit: the old 10 count 4 in 100 ms
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1500000, again in 100000");
        // 6 permits: from the next window on, when 1 of the 5 has left
        assertThat(key.acquire(6)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1500000, again in 700000");
    }

    @Test
    void millionPerDayWeighted() {
        Limit limit =
                CLASSIC.with().permits(1_000_000).period(Duration.ofDays(1)).build();
        Key key = new Key(limit).at(NOW);
        key.acquire(1_000_000);

        // one permit leaves in 86,400 microseconds
        long nextDay = NOW + 24 * HOUR;
        assertThat(key.at(nextDay).acquire(1))
                .isEqualTo("PERMITS_SPENT, 0 left, unused in 86400000000, again in 86400");
        assertThat(key.at(nextDay + 86_399).acquire(1))
                .isEqualTo("PERMITS_SPENT, 0 left, unused in 86399913601, again in 1");
        assertThat(key.at(nextDay + 86_400).acquire(1)).isEqualTo("granted, 0 left, unused in 172799913600");
        // that one counts until it has left altogether
        assertThat(key.acquire(1_000_000)).endsWith("again in " + (48 * HOUR - 86_400));
    }

    @Test
    void millionPerThirtyOneDaysWeighted() {
        Limit limit =
                CLASSIC.with().permits(1_000_000).period(Duration.ofDays(31)).build();
        long period = 31 * 24 * HOUR;
        Key key = new Key(limit).at(0);
        key.acquire(1_000_000);

        assertThat(key.acquire(1)).endsWith("again in " + (period + 2_678_400));
        assertThat(key.acquire(999_999)).endsWith("again in " + (period + period - 2_678_400));
        key.at(period + 2_678_399);
        assertThat(key.acquire(1)).endsWith("again in 1");
        assertThat(key.at(period + 2_678_400).acquire(1)).startsWith("granted, 0 left");
    }

    @Test
    void clockThatStepsBackStaysInTheLatestSlot() {
        Key key = new Key(WEIGHTED).at(NOW);
        key.acquire(4);
        key.at(NOW + 1_100_000).acquire(1);

        key.at(NOW + 700_000);
        // in the slot from 1,000,000 on, at its beginning: the 4 are leaving and still whole
        assertThat(key.acquire(6)).isEqualTo("PERMITS_SPENT, 5 left, unused in 1550000, again in 362500");
        assertThat(key.acquire(5)).isEqualTo("granted, 0 left, unused in 1550000");
        assertThat(key.at(NOW + 1_000_000).state()).isEqualTo("granted, 0 left, unused in 1250000");
    }

    @Test
    void absurdFutureIsUnused() {
        Key key = spent(STRICT);
        long furthest = NOW + 750_000 - HOUR - 1_000_000;

        assertThat(key.at(furthest).looks()).isTrue();
        assertThat(key.acquire(1)).startsWith("PERMITS_SPENT");
        assertThat(key.at(furthest - 1).looks()).isFalse();
        assertThat(key.state()).isEqualTo("granted, 10 left, unused in 0");
        assertThat(key.acquire(1)).isEqualTo("granted, 9 left, unused in 1000001");
        assertThat(key.looks()).isTrue();
        assertThat(key.at(NOW).state()).isEqualTo("granted, 10 left, unused in 0");
    }

    @Test
    void lockOfAnAbsurdCounterForgetsIt() {
        Key key = spent(STRICT).at(NOW - 2 * HOUR);
        key.lock(10);

        assertThat(key.looks()).isTrue();
        assertThat(key.at(NOW + 999_999).state()).isEqualTo("granted, 10 left, unused in 0");
    }

    @Test
    void comesBackAfterALongTime() {
        Key key = spent(STRICT);

        key.at(NOW + 1_000 * HOUR);
        assertThat(key.isUnused()).isTrue();
        assertThat(key.acquire(2)).isEqualTo("granted, 8 left, unused in 1250000");
        assertThat(key.at(NOW + 1_000 * HOUR + 1_000_000).acquire(8)).isEqualTo("granted, 0 left, unused in 1250000");
        assertThat(key.acquire(1)).endsWith("again in 250000");
    }

    @Test
    void skipsSlotsWithoutLosingTheOthers() {
        Key key = new Key(STRICT).at(NOW);
        key.acquire(1);
        key.at(NOW + 250_000).acquire(2);
        key.at(NOW + 1_300_000).acquire(3);

        // the slot of the 1 is reused by now
        assertThat(key.state()).isEqualTo("granted, 5 left, unused in 1200000");
        key.at(NOW + 1_500_000);
        assertThat(key.state()).isEqualTo("granted, 7 left, unused in 1000000");
        assertThat(key.acquire(7)).isEqualTo("granted, 0 left, unused in 1250000");
        assertThat(key.at(NOW + 2_500_000).state()).isEqualTo("granted, 3 left, unused in 250000");
    }

    @Test
    void slotsBeforeTheEpochToo() {
        Key key = new Key(STRICT).at(-1);

        assertThat(key.acquire(10)).isEqualTo("granted, 0 left, unused in 1000001");
        assertThat(key.at(999_999).acquire(1)).endsWith("again in 1");
        assertThat(key.at(1_000_000).acquire(1)).startsWith("granted, 9 left");
    }

    @Test
    void givesBackTheNewest() {
        Key key = spent(STRICT).at(NOW + 1_000_000);

        assertThat(key.refund(0)).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.refund(2)).isEqualTo("granted, 2 left, unused in 1000000");
        assertThat(key.refund(2)).isEqualTo("granted, 4 left, unused in 500000");
        assertThat(key.acquire(4)).isEqualTo("granted, 0 left, unused in 1250000");
        assertThat(key.refund(Long.MAX_VALUE)).isEqualTo("granted, 10 left, unused in 0");
        assertThat(key.refund(1)).isEqualTo("granted, 10 left, unused in 0");
        assertThat(key.isUnused()).isTrue();
        // nothing is remembered, the slot neither
        assertThat(key.at(NOW).acquire(1)).isEqualTo("granted, 9 left, unused in 1250000");
    }

    @Test
    void refundOfNothingWritesNothing() {
        Key key = spent(STRICT).at(NOW + 1_250_000);
        key.refund(0);

        assertThat(key.at(NOW + 999_999).state()).isEqualTo("granted, 0 left, unused in 1000001");
    }

    @Test
    void refundPassesOverASlotThatIsReused() {
        Key key = spent(STRICT).at(NOW + 1_250_000);

        assertThat(key.refund(2)).isEqualTo("granted, 6 left, unused in 750000");
        assertThat(key.at(NOW + 1_500_000).state()).isEqualTo("granted, 9 left, unused in 500000");
        assertThat(key.at(NOW + 1_500_000).refund(2)).isEqualTo("granted, 10 left, unused in 0");
    }

    @Test
    void refundSeesTheLeavingSlotToo() {
        Key key = new Key(WEIGHTED).at(NOW);
        key.acquire(8);

        key.at(NOW + 1_125_000);
        assertThat(key.state()).isEqualTo("granted, 6 left, unused in 125000");
        assertThat(key.refund(4)).isEqualTo("granted, 8 left, unused in 125000");
    }

    @Test
    void otherNumbersKeepTheCount() {
        Key key = spent(STRICT);

        assertThat(key.under(counter(12, 4, true)).state()).isEqualTo("granted, 2 left, unused in 1000001");
        key.under(counter(5, 4, true));
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000001, again in 500001");
        assertThat(key.acquire(2)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000001, again in 500001");
        assertThat(key.acquire(3)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000001, again in 1000001");
    }

    @Test
    void otherNumbersKeepTheCountWeighted() {
        Key key = spent(WEIGHTED);

        key.under(counter(5, 4, false));
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000001, again in 416668");
        assertThat(key.at(NOW + 1_416_667).acquire(1)).startsWith("granted, 0 left");
    }

    @Test
    void holdIsDueAtOnceAndCancelledAsLongAsItCounts() {
        Key key = new Key(STRICT).at(NOW);
        Hold hold = key.reserve(2, HOUR);

        assertThat(hold.dueMicros()).isEqualTo(NOW);
        assertThat(key.cancel(hold)).isEqualTo(2);
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void cancelTakesFromTheSlotThatWasCharged() {
        Key key = new Key(STRICT).at(NOW);
        Hold hold = key.reserve(4, HOUR);
        key.at(NOW + 500_000).acquire(6);

        assertThat(key.cancel(hold)).isEqualTo(4);
        assertThat(key.state()).isEqualTo("granted, 4 left, unused in 1250000");
        assertThat(key.at(NOW + 1_250_000).state()).isEqualTo("granted, 4 left, unused in 500000");
    }

    @Test
    void cancelGivesNothingOnceTheSlotHasLeft() {
        Key key = new Key(STRICT).at(NOW);
        Hold hold = key.reserve(4, HOUR);
        Hold other = key.at(NOW + 1_000_000).reserve(6, HOUR);

        assertThat(key.at(NOW + 1_250_000).cancel(hold)).isZero();
        assertThat(key.state()).isEqualTo("granted, 4 left, unused in 1000000");
        assertThat(key.cancel(other)).isEqualTo(6);
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void cancelTakesFromTheSlotThatLeavesToo() {
        Key key = new Key(STRICT).at(NOW);
        Hold hold = key.reserve(4, HOUR);
        key.at(NOW + 999_999).acquire(3);

        assertThat(key.at(NOW + 1_249_999).cancel(hold)).isEqualTo(4);
        assertThat(key.state()).isEqualTo("granted, 7 left, unused in 750001");
    }

    @Test
    void whatCountsNoMoreIsForgottenWithWhatIsCancelled() {
        Key key = new Key(STRICT).at(NOW);
        key.acquire(4);
        Hold hold = key.at(NOW + 999_999).reserve(3, HOUR);

        assertThat(key.at(NOW + 1_250_000).cancel(hold)).isEqualTo(3);
        assertThat(key.at(NOW + 999_999).state()).isEqualTo("granted, 10 left, unused in 0");
    }

    @Test
    void cancelOfNothingWritesNothing() {
        Key key = new Key(STRICT).at(NOW);
        Hold hold = key.reserve(4, HOUR);
        key.at(NOW + 300_000).acquire(3);

        assertThat(key.at(NOW + 1_250_000).cancel(hold)).isZero();
        assertThat(key.at(NOW + 999_999).state()).isEqualTo("granted, 3 left, unused in 500001");
    }

    /** Slots 0 to 4 are those of a counter that has none yet. */
    @Test
    void cancelOfAForgottenChargeGivesNothing() {
        Key key = new Key(STRICT).at(0);
        Hold hold = key.reserve(4, HOUR);
        key.usage().forget();

        assertThat(key.cancel(hold)).isZero();
    }

    @Test
    void copyCountsOnItsOwn() {
        Key key = spent(STRICT);
        Key copy = key.copy();

        assertThat(copy.state()).isEqualTo("granted, 0 left, unused in 1000001");
        copy.at(NOW + 1_250_000).acquire(4);
        assertThat(key.at(NOW + 1_250_000).state()).isEqualTo("granted, 4 left, unused in 750000");
        assertThat(new Key(STRICT).at(NOW).copy().acquire(10)).startsWith("granted, 0 left");
    }
}
