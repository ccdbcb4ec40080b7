/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.Reservation.Lent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GreedyBucketTests {

    private static final long HOUR = 3_600_000_000L;
    private static final long DAY = 24 * HOUR;
    private static final long NOW = 1_800_000_000_000_000L;

    private static final Limit THREE_PER_SECOND = bucket(3, 3, Duration.ofSeconds(1));

    private static Limit bucket(long permits, long burst, Duration period) {
        return Limit.named("orders")
                .permits(permits)
                .burst(burst)
                .period(period)
                .build();
    }

    @Test
    void threePerSecond() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);

        assertThat(key.acquire(1)).isEqualTo("granted, 2 left, unused in 333334");
        assertThat(key.acquire(1)).isEqualTo("granted, 1 left, unused in 666667");
        assertThat(key.acquire(1)).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 333334");
        key.at(NOW + 333_333);
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 666667, again in 1");
        key.at(NOW + 333_334);
        assertThat(key.acquire(1)).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 333333");
        assertThat(key.acquire(2)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 666666");
    }

    @Test
    void sevenPerTenSeconds() {
        Key key = new Key(bucket(7, 1, Duration.ofSeconds(10))).at(0);

        assertThat(key.acquire(1)).isEqualTo("granted, 0 left, unused in 1428572");
        // 10/7 s is 1,428,571 3/7 microseconds: half a microsecond early is still early
        assertThat(key.at(1_428_571).acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1, again in 1");
        assertThat(key.at(1_428_572).acquire(1)).isEqualTo("granted, 0 left, unused in 1428572");
        assertThat(key.at(2_857_143).acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1, again in 1");
    }

    @Test
    void sevenHundredThousandPerSecond() {
        Key key = new Key(bucket(700_000, 1, Duration.ofSeconds(1))).at(NOW);

        assertThat(key.acquire(1)).isEqualTo("granted, 0 left, unused in 2");
        assertThat(key.at(NOW + 1).acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1, again in 1");
        assertThat(key.at(NOW + 2).acquire(1)).isEqualTo("granted, 0 left, unused in 2");
    }

    @Test
    void manyPermitsInOneMicrosecond() {
        Key key = new Key(bucket(1_000_000, 2_500, Duration.ofMillis(1))).at(NOW);

        assertThat(key.acquire(2_500)).isEqualTo("granted, 0 left, unused in 3");
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 3, again in 1");
        assertThat(key.at(NOW + 1).acquire(1_000)).isEqualTo("granted, 0 left, unused in 3");
        assertThat(key.at(NOW + 3).acquire(0)).isEqualTo("granted, 2000 left, unused in 1");
        assertThat(key.at(NOW + 4).acquire(0)).isEqualTo("granted, 2500 left, unused in 0");
    }

    @Test
    void billionPerThirtyDays() {
        // one permit takes 2,592 microseconds
        Key key = new Key(bucket(1_000_000_000, 1_000_000_000, Duration.ofDays(30))).at(NOW);

        assertThat(key.acquire(1)).isEqualTo("granted, 999999999 left, unused in 2592");
        assertThat(key.acquire(999_999_999)).isEqualTo("granted, 0 left, unused in 2592000000000");
        assertThat(key.acquire(1_000_000_000))
                .isEqualTo("PERMITS_SPENT, 0 left, unused in 2592000000000, again in 2592000000000");
        assertThat(key.at(NOW + 2_591).acquire(1))
                .isEqualTo("PERMITS_SPENT, 0 left, unused in 2591999997409, again in 1");
        assertThat(key.at(NOW + 2_592).acquire(1)).isEqualTo("granted, 0 left, unused in 2592000000000");
    }

    @Test
    void permitOfThirtyOneDays() {
        Key key = new Key(bucket(1, 1_000_000, Duration.ofDays(31))).at(NOW);

        assertThat(key.acquire(1_000_000)).isEqualTo("granted, 0 left, unused in 2678400000000000000");
        assertThat(key.acquire(1_000_000))
                .isEqualTo("PERMITS_SPENT, 0 left, unused in 2678400000000000000, again in 2678400000000000000");
        key.at(NOW + 31 * DAY - 1);
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 2678397321600000001, again in 1");
        assertThat(key.at(NOW + 31 * DAY).acquire(1)).isEqualTo("granted, 0 left, unused in 2678400000000000000");
    }

    @Test
    void billionsPerMillisecondWithTheLongestWait() {
        // a thousand ticks short of 3.6 * 10^18: the largest debt in ticks that a wait makes
        Limit limit = bucket(1_000_000_000, 1_000_000_000, Duration.ofMillis(1));
        Key key = new Key(limit).at(NOW);
        key.acquire(1_000_000_000);

        for (int i = 0; i < 3; i++) {
            key.acquire(1_000_000_000, HOUR);
        }
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 4000");
        assertThat(key.acquire(1, 2_999)).isEqualTo("WAIT_TOO_LONG, 0 left, unused in 4000, again in 2");
    }

    @Test
    void waitsForWhatIsMissing() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(3);

        assertThat(key.acquire(1, 333_333)).isEqualTo("WAIT_TOO_LONG, 0 left, unused in 1000000, again in 1");
        assertThat(key.acquire(1, 333_334)).isEqualTo("granted, 0 left, unused in 1333334, delay 333334");
        assertThat(key.acquire(2, 999_999)).isEqualTo("WAIT_TOO_LONG, 0 left, unused in 1333334, again in 1");
        assertThat(key.acquire(2, 1_000_000)).isEqualTo("granted, 0 left, unused in 2000000, delay 1000000");
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 2000000, again in 1333334");
    }

    @Test
    void peekIsAcquireWithoutTrace() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);

        assertThat(key.peek(2)).isEqualTo("granted, 1 left, unused in 666667");
        assertThat(key.peek(3)).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.acquire(3)).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.peek(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 333334");
    }

    @Test
    void clockThatStepsBackMintsNothing() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(3);

        key.at(NOW - 1_000_000);
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 2000000, again in 1333334");
        assertThat(key.acquire(1, 1_333_334)).isEqualTo("granted, 0 left, unused in 2333334, delay 1333334");
    }

    @Test
    void absurdFutureIsUnused() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(3);

        key.at(NOW - HOUR);
        assertThat(key.looks()).isTrue();
        assertThat(key.acquire(1)).startsWith("PERMITS_SPENT");
        key.at(NOW - HOUR - 1);
        assertThat(key.looks()).isFalse();
        assertThat(key.peek(0)).isEqualTo("granted, 3 left, unused in 0");
        key.at(NOW);
        assertThat(key.peek(1)).startsWith("PERMITS_SPENT");
        assertThat(key.at(NOW - HOUR - 1).acquire(1)).isEqualTo("granted, 2 left, unused in 333334");
        assertThat(key.looks()).isTrue();
    }

    @Test
    void believesAnHourOfReservations() {
        Limit limit = bucket(1, 1, Duration.ofHours(1));
        Key key = new Key(limit).at(NOW);
        key.acquire(1);

        assertThat(key.acquire(1, HOUR)).isEqualTo("granted, 0 left, unused in 7200000000, delay 3600000000");
        assertThat(key.looks()).isTrue();
        assertThat(key.at(NOW - 1).looks()).isFalse();
    }

    @Test
    void givesBackTheNewest() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(3);
        key.at(NOW + 100_000);

        assertThat(key.refund(1)).isEqualTo("granted, 1 left, unused in 566667");
        assertThat(key.refund(0)).isEqualTo("granted, 1 left, unused in 566667");
        assertThat(key.refund(Long.MAX_VALUE)).isEqualTo("granted, 3 left, unused in 0");
        assertThat(key.acquire(3)).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void givesBackNothingOfNothing() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);

        assertThat(key.refund(2)).isEqualTo("granted, 3 left, unused in 0");
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void refundOfNothingWritesNothing() {
        Key key = new Key(bucket(1, 10, Duration.ofMinutes(1))).at(NOW);
        key.acquire(10);
        key.under(THREE_PER_SECOND).refund(0);

        assertThat(key.at(NOW + 1_000_000).state()).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void largerNumbersDoNotFillTheBucket() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(3);

        // full at NOW + 1 s either way: under 10 per second that is a debt of 10 permits
        key.under(bucket(10, 20, Duration.ofSeconds(1)));
        assertThat(key.state()).isEqualTo("granted, 10 left, unused in 1000000");
        assertThat(key.acquire(11)).isEqualTo("PERMITS_SPENT, 10 left, unused in 1000000, again in 100000");
        assertThat(key.acquire(10)).isEqualTo("granted, 0 left, unused in 2000000");
    }

    @Test
    void smallerNumbersHoldNoLongerThanTheyImply() {
        Limit slow = bucket(1, 10, Duration.ofMinutes(1));
        Key key = new Key(slow).at(NOW);
        key.acquire(10);

        // ten minutes of debt become one bucket of the new numbers, and time counts from the first denial on
        key.under(THREE_PER_SECOND);
        assertThat(key.peek(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 333334");
        key.at(NOW + 5_000_000);
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 333334");
        key.at(NOW + 5_333_334);
        assertThat(key.acquire(1)).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void denialThatCutsNothingLeavesTheOldNumbers() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(3);

        // a debt of exactly one new bucket is not cut
        key.under(bucket(7, 7, Duration.ofSeconds(1)));
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 142858");
        key.under(THREE_PER_SECOND).at(NOW - HOUR);
        assertThat(key.looks()).isTrue();
        assertThat(key.peek(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 3601000000, again in 3600333334");
    }

    @Test
    void cutKeepsOnlyWhenSomethingIsWritten() {
        Limit slow = bucket(1, 10, Duration.ofMinutes(1));
        Key key = new Key(slow).at(NOW);
        key.acquire(10);

        key.under(THREE_PER_SECOND);
        key.peek(1);
        key.acquire(0);
        key.spared(0);
        assertThat(key.at(NOW + 333_334).state()).isEqualTo("granted, 0 left, unused in 1000000");
        key.at(NOW);
        assertThat(key.under(slow).state()).isEqualTo("granted, 0 left, unused in 600000000");
        key.under(THREE_PER_SECOND).acquire(4);
        key.at(NOW + 333_334);
        assertThat(key.state()).isEqualTo("granted, 1 left, unused in 666666");
        assertThat(key.under(slow).state()).isEqualTo("granted, 0 left, unused in 599666666");
    }

    @Test
    void whatNumbersHaveCutOthersStillSee() {
        Limit slow = bucket(1, 10, Duration.ofMinutes(1));
        Key key = new Key(slow).at(NOW);
        key.acquire(10);
        key.under(THREE_PER_SECOND).acquire(1);

        // a third of a second later the one has a permit, for the other it is one of 1,799 thirds
        key.at(NOW + 333_334);
        assertThat(key.acquire(1)).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.under(slow).state()).isEqualTo("granted, 0 left, unused in 600000000");
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 600000000, again in 60000000");

        // a permit of the slow ones fills the others' bucket, which is cut again
        key.at(NOW + 333_334 + 60_000_000);
        assertThat(key.acquire(1)).isEqualTo("granted, 0 left, unused in 600000000");
        assertThat(key.under(THREE_PER_SECOND).state()).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 333334");
        assertThat(key.at(NOW + 61_333_334).state()).isEqualTo("granted, 3 left, unused in 0");
        assertThat(key.isUnused()).isFalse();
        assertThat(key.at(NOW + 661_333_334).isUnused()).isTrue();
    }

    /** The instant is kept, not the count: ten permits of a hundredth of a second are one of a tenth. */
    @Test
    void burstOfFasterNumbersIsLittleToSlowerOnes() {
        Limit slow = bucket(10, 10, Duration.ofSeconds(1));
        Limit fast = bucket(100, 10, Duration.ofSeconds(1));
        Key key = new Key(fast).at(NOW);
        key.acquire(10);

        assertThat(key.under(slow).acquire(9)).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.under(fast).acquire(1)).startsWith("PERMITS_SPENT");
    }

    @Test
    void cutKeepsWhenAnotherLimitDenies() {
        Limit slow = bucket(1, 10, Duration.ofMinutes(1));
        Key key = new Key(slow).at(NOW);
        key.acquire(10);

        assertThat(key.under(THREE_PER_SECOND).spared(1)).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.at(NOW + 333_334).state()).isEqualTo("granted, 1 left, unused in 666666");
    }

    @Test
    void fractionOfOldNumbersIsRoundedUp() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(1);

        // full at NOW + 333,333 1/3: under 1,000 per second that is 333.334 permits
        key.under(bucket(1_000, 334, Duration.ofSeconds(1)));
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 333334");
        key.at(NOW + 333_333);
        assertThat(key.state()).isEqualTo("granted, 333 left, unused in 1");
        assertThat(key.at(NOW + 333_334).state()).isEqualTo("granted, 334 left, unused in 0");
        assertThat(key.isUnused()).isTrue();
        assertThat(key.at(NOW + 333_333).isUnused()).isFalse();
    }

    /** The mark of 3 per second and of 1,000 per second is the same: the fraction is then at most a microsecond. */
    @Test
    void fractionOfNumbersWithTheSameMark() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(2);

        key.under(bucket(1_000, 3, Duration.ofSeconds(1)));
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 666667");
    }

    @Test
    void futureOfOldNumbersIsCutNotHealed() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(3);

        key.under(bucket(5, 5, Duration.ofSeconds(1))).at(NOW - 2 * HOUR);
        assertThat(key.looks()).isTrue();
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 200000");
    }

    @Test
    void cancelRestoresWhatNobodyReservedAfter() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(3);
        Hold first = key.reserve(2, HOUR);
        Hold second = key.reserve(1, HOUR);

        assertThat(first.dueMicros()).isEqualTo(NOW + 666_666);
        assertThat(first.dueFraction()).isEqualTo(2);
        assertThat(second.dueMicros()).isEqualTo(NOW + 1_000_000);
        assertThat(second.dueFraction()).isZero();
        assertThat(key.cancel(first)).isEqualTo(1);
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 1666667");
        assertThat(key.cancel(second)).isEqualTo(1);
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 1333334");
    }

    @Test
    void cancelAfterTheTimeHasComeRestoresNothing() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(3);
        Hold hold = key.reserve(2, HOUR);

        assertThat(key.at(NOW + 666_668).cancel(hold)).isZero();
        assertThat(key.at(NOW + 666_667).cancel(hold)).isEqualTo(2);
        assertThat(key.state()).isEqualTo("granted, 2 left, unused in 333333");
    }

    @Test
    void cancelAtADueInstantWithoutFraction() {
        Key key = new Key(bucket(1, 2, Duration.ofSeconds(1))).at(NOW);
        key.acquire(2);
        Hold hold = key.reserve(2, HOUR);

        assertThat(hold.dueMicros()).isEqualTo(NOW + 2_000_000);
        assertThat(key.at(NOW + 2_000_001).cancel(hold)).isZero();
        assertThat(key.at(NOW + 2_000_000).cancel(hold)).isEqualTo(2);
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void cancelOfAForgottenChargeRestoresNothing() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        Hold hold = key.reserve(2, 0);
        key.refund(1);
        assertThat(key.cancel(hold)).isEqualTo(1);
        assertThat(key.cancel(hold)).isZero();

        Hold again = key.reserve(3, 0);
        key.usage().forget();
        assertThat(key.cancel(again)).isZero();
    }

    @Test
    void cancelOfWhatLiesInTheAbsurdFutureRestoresNothing() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        Hold hold = key.reserve(3, 0);

        assertThat(key.at(NOW - HOUR - 1).cancel(hold)).isZero();
        assertThat(key.at(NOW).state()).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void cancelFarAheadOfItsTimeStaysInRange() {
        Limit limit = bucket(1_000_000_000, 1_000_000_000, Duration.ofMillis(1));
        Key key = new Key(limit).at(NOW);
        Hold hold = key.reserve(1_000_000_000, 0);
        key.under(bucket(1, 2_000, Duration.ofSeconds(1)));
        key.acquire(1_999);

        // the clock steps back a week, and other numbers have written since
        assertThat(key.under(limit).at(NOW - 7 * DAY).cancel(hold)).isEqualTo(1_000_000_000);
    }

    /** 1 of the 3 a second, 0.1 s later 1 more: full after 2/3 s. */
    private static Hold lentTheSecond(Key key) {
        key.at(NOW).acquire(1);
        return key.at(NOW + 100_000).reserve(1, 0);
    }

    /** The same, and a third one came after it. */
    private static Hold lentTheSecondOfThree(Key key) {
        Hold hold = lentTheSecond(key);
        key.at(NOW + 150_000).acquire(1);
        return hold;
    }

    @Test
    void whatIsLeftUntilTheBucketIsFullIsTakenBackIfNobodyCame() {
        Key key = new Key(THREE_PER_SECOND);
        Hold hold = lentTheSecond(key);

        assertThat(hold.lent()).isEqualTo(new Lent(NOW + 666_666, 2, false));
        // time has repaid the first one and half of this: alone, this would have been repaid by now
        assertThat(key.at(NOW + 500_000).giveUp(hold)).isEqualTo(1);
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void nothingIsTakenBackOnceTheBucketIsFull() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        Hold hold = key.reserve(1, 0);

        assertThat(hold.lent()).isEqualTo(new Lent(NOW + 333_333, 1, false));
        assertThat(key.at(NOW + 333_334).giveUp(hold)).isZero();
        // a third of a microsecond is left of the permit
        assertThat(key.at(NOW + 333_333).giveUp(hold)).isEqualTo(1);
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void onceOthersCameTimeHasRepaidWhatWasLentBeforeAllElse() {
        Key key = new Key(THREE_PER_SECOND);
        Hold hold = lentTheSecondOfThree(key);

        // 0.8 s of debt, less the permit's 1/3 s of which 0.1 s are repaid
        assertThat(key.at(NOW + 200_000).giveUp(hold)).isEqualTo(1);
        assertThat(key.state()).isEqualTo("granted, 1 left, unused in 566667");
    }

    @Test
    void ofACallThatHasEndedWhatIsLeftUntilTheBucketWouldBeFullIsTakenBackThoughOthersCame() {
        Key soon = new Key(THREE_PER_SECOND);
        Hold hold = lentTheSecondOfThree(soon);
        // until 2/3 s there is more left than the permit's 1/3 s: 0.8 s of debt less that
        assertThat(soon.at(NOW + 200_000).end(hold)).isEqualTo(1);
        assertThat(soon.state()).isEqualTo("granted, 1 left, unused in 466667");

        Key later = new Key(THREE_PER_SECOND);
        hold = lentTheSecondOfThree(later);
        // 0.6 s of debt, less what is left until 2/3 s; alone, 1/30 s would be left of it
        assertThat(later.at(NOW + 400_000).end(hold)).isEqualTo(1);
        assertThat(later.state()).isEqualTo("granted, 2 left, unused in 333334");
    }

    @Test
    void ofACallThatHasEndedNothingIsTakenBackOnceOthersCameAndTimeWouldHaveRepaidItAlone() {
        Key key = new Key(bucket(1, 5, Duration.ofSeconds(1))).at(NOW);
        key.acquire(2);
        Hold hold = key.reserve(1, 0);
        key.acquire(1);

        assertThat(key.at(NOW + 1_000_000).end(hold)).isZero();
        assertThat(key.state()).isEqualTo("granted, 2 left, unused in 3000000");
        assertThat(key.at(NOW + 999_999).end(hold)).isEqualTo(1);
        assertThat(key.state()).isEqualTo("granted, 2 left, unused in 2000001");
    }

    @Test
    void whatIsLentStaysInRange() {
        Limit limit = bucket(1_000_000_000, 1_000_000_000, Duration.ofMillis(1));
        Key key = new Key(limit).at(NOW);
        assertThat(key.giveUp(key.reserve(1_000_000_000, 0))).isEqualTo(1_000_000_000);
        assertThat(key.state()).isEqualTo("granted, 1000000000 left, unused in 0");

        Hold hold = key.reserve(1_000_000_000, 0);
        key.under(bucket(1, 2_000, Duration.ofSeconds(1)));
        key.acquire(1_999);
        assertThat(key.under(limit).at(NOW - 400 * DAY).giveUp(hold)).isZero();
    }

    @Test
    void copyCountsOnItsOwn() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(1);
        Key copy = key.copy();

        assertThat(copy.state()).isEqualTo("granted, 2 left, unused in 333334");
        copy.acquire(2);
        assertThat(key.state()).isEqualTo("granted, 2 left, unused in 333334");
        assertThat(copy.at(NOW - HOUR - 1).looks()).isFalse();
    }

    @Test
    void unusedFromTheInstantItIsFull() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(1);

        assertThat(key.at(NOW + 333_333).isUnused()).isFalse();
        assertThat(key.at(NOW + 333_334).isUnused()).isTrue();
        assertThat(key.at(NOW + 333_334).acquire(3)).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void meterIsTheSameMachine() {
        Limit meter = Limit.named("meter")
                .algorithm(Algorithm.LEAKY_BUCKET)
                .pace(false)
                .permits(3)
                .period(Duration.ofSeconds(1))
                .build();
        Key key = new Key(meter).at(NOW);
        key.acquire(2);

        assertThat(key.acquire(2)).isEqualTo("PERMITS_SPENT, 1 left, unused in 666667, again in 333334");
        assertThat(key.acquire(2, 333_334)).isEqualTo("granted, 0 left, unused in 1333334, delay 333334");
    }
}
