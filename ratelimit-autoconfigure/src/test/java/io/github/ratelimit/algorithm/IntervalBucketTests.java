/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Refill;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.Reservation.Lent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IntervalBucketTests {

    private static final long HOUR = 3_600_000_000L;
    private static final long DAY = 24 * HOUR;

    /** A tick of seconds, of 7 seconds and of 31 days. */
    private static final long TICK = 700 * 31 * DAY;

    private static final Limit FOUR_PER_SECOND = bucket(4, 10, Duration.ofSeconds(1));

    private static Limit bucket(long permits, long burst, Duration period) {
        return Limit.named("orders")
                .refill(Refill.INTERVAL)
                .permits(permits)
                .burst(burst)
                .period(period)
                .build();
    }

    @Test
    void permitsComeWithTheTick() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK);

        assertThat(key.acquire(10)).isEqualTo("granted, 0 left, unused in 3000000");
        key.at(TICK + 300_000);
        assertThat(key.acquire(9)).isEqualTo("PERMITS_SPENT, 0 left, unused in 2700000, again in 2700000");
        assertThat(key.acquire(8)).isEqualTo("PERMITS_SPENT, 0 left, unused in 2700000, again in 1700000");
        key.at(TICK + 999_999);
        assertThat(key.acquire(4)).isEqualTo("PERMITS_SPENT, 0 left, unused in 2000001, again in 1");
        key.at(TICK + 1_000_000);
        assertThat(key.acquire(4)).isEqualTo("granted, 0 left, unused in 3000000");
        key.at(TICK + 2_999_999);
        assertThat(key.state()).isEqualTo("granted, 4 left, unused in 1000001");
        assertThat(key.at(TICK + 3_000_000).state()).isEqualTo("granted, 8 left, unused in 1000000");
        assertThat(key.at(TICK + 4_000_000).state()).isEqualTo("granted, 10 left, unused in 0");
    }

    @Test
    void startsFullBetweenTicks() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK + 900_000);

        assertThat(key.acquire(1)).isEqualTo("granted, 9 left, unused in 100000");
        assertThat(key.acquire(3)).isEqualTo("granted, 6 left, unused in 100000");
        assertThat(key.acquire(1)).isEqualTo("granted, 5 left, unused in 1100000");
        assertThat(key.at(TICK + 1_000_000).acquire(1)).isEqualTo("granted, 8 left, unused in 1000000");
    }

    @Test
    void ticksBeforeTheEpochToo() {
        Key key = new Key(FOUR_PER_SECOND).at(-300_000);

        assertThat(key.acquire(10)).isEqualTo("granted, 0 left, unused in 2300000");
        assertThat(key.at(0).acquire(4)).isEqualTo("granted, 0 left, unused in 3000000");
    }

    @Test
    void waitsForTheTickThatBringsEnough() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK + 300_000);
        key.acquire(10);

        assertThat(key.acquire(1, 699_999)).isEqualTo("WAIT_TOO_LONG, 0 left, unused in 2700000, again in 1");
        assertThat(key.acquire(1, 700_000)).isEqualTo("granted, 0 left, unused in 2700000, delay 700000");
        assertThat(key.acquire(3, 700_000)).isEqualTo("granted, 0 left, unused in 3700000, delay 700000");
        assertThat(key.acquire(1, 700_000)).isEqualTo("WAIT_TOO_LONG, 0 left, unused in 3700000, again in 1000000");
        assertThat(key.acquire(5, 2_700_000)).isEqualTo("granted, 0 left, unused in 4700000, delay 2700000");
        assertThat(key.spared(1)).isEqualTo("granted, 0 left, unused in 4700000");
        assertThat(key.acquire(0)).isEqualTo("granted, 0 left, unused in 4700000");
    }

    @Test
    void longestPeriodAndLargestBurst() {
        Key key = new Key(bucket(1, 1_000_000, Duration.ofDays(31))).at(TICK);

        assertThat(key.acquire(1_000_000)).isEqualTo("granted, 0 left, unused in 2678400000000000000");
        assertThat(key.acquire(1)).endsWith("again in 2678400000000");
        assertThat(key.at(TICK + 31 * DAY).acquire(1)).isEqualTo("granted, 0 left, unused in 2678400000000000000");
    }

    @Test
    void clockThatStepsBackMintsNothing() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK);
        key.acquire(10);

        key.at(TICK - 1);
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 3000001, again in 1000001");
        assertThat(key.acquire(1, 1_000_001)).isEqualTo("granted, 0 left, unused in 3000001, delay 1000001");
    }

    @Test
    void absurdFutureIsUnused() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK);
        key.acquire(10);

        assertThat(key.at(TICK - HOUR).looks()).isTrue();
        assertThat(key.acquire(1)).startsWith("PERMITS_SPENT");
        assertThat(key.at(TICK - HOUR - 1).looks()).isFalse();
        assertThat(key.acquire(1)).isEqualTo("granted, 9 left, unused in 1");
    }

    @Test
    void believesAnHourOfReservations() {
        Key key = new Key(bucket(1, 1, Duration.ofHours(1))).at(TICK);
        key.acquire(1);

        assertThat(key.acquire(1, HOUR)).isEqualTo("granted, 0 left, unused in 7200000000, delay 3600000000");
        assertThat(key.looks()).isTrue();
        assertThat(key.at(TICK - 1).looks()).isFalse();
    }

    @Test
    void givesBackTheNewest() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK);
        key.acquire(9);

        assertThat(key.refund(1)).isEqualTo("granted, 2 left, unused in 2000000");
        assertThat(key.refund(0)).isEqualTo("granted, 2 left, unused in 2000000");
        assertThat(key.at(TICK + 1_000_000).state()).isEqualTo("granted, 6 left, unused in 1000000");
        assertThat(key.refund(Long.MAX_VALUE)).isEqualTo("granted, 10 left, unused in 0");
        assertThat(key.refund(1)).isEqualTo("granted, 10 left, unused in 0");
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void refundOfNothingWritesNothing() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK);
        key.acquire(10);
        Limit fewer = bucket(5, 14, Duration.ofSeconds(1));
        key.under(fewer).refund(0);

        assertThat(key.under(FOUR_PER_SECOND).state()).isEqualTo("granted, 0 left, unused in 3000000");
        assertThat(key.at(TICK + 2_000_000).state()).isEqualTo("granted, 8 left, unused in 1000000");
        // by a bucket cut and written at TICK it would be 10
        assertThat(key.under(fewer).state()).isEqualTo("granted, 9 left, unused in 1000000");
    }

    @Test
    void otherNumbersKeepTheInstantOnTheNewGrid() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK + 6_500_000);
        key.acquire(10);

        // full at TICK + 9 s; on the grid of 7 s that is two ticks from TICK, where 7 or more may be missing
        key.under(bucket(3, 7, Duration.ofSeconds(7)));
        assertThat(key.state()).isEqualTo("granted, 1 left, unused in 7500000");
        assertThat(key.acquire(2)).isEqualTo("PERMITS_SPENT, 1 left, unused in 7500000, again in 500000");
        assertThat(key.acquire(1)).isEqualTo("granted, 0 left, unused in 14500000");
    }

    @Test
    void otherNumbersHoldNoLongerThanTheyImply() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK);
        key.acquire(10);

        // three ticks of 5 are more than 14: cut to 14, which counts from the denial on
        Limit fewer = bucket(5, 14, Duration.ofSeconds(1));
        key.under(fewer);
        assertThat(key.peek(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 3000000, again in 1000000");
        assertThat(key.acquire(15)).endsWith("again never");
        assertThat(key.at(TICK + 1_000_000).state()).isEqualTo("granted, 5 left, unused in 2000000");
    }

    @Test
    void otherNumbersThatCutNothingAreNotWritten() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK);
        key.acquire(10);

        key.under(bucket(5, 15, Duration.ofSeconds(1)));
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 3000000, again in 1000000");
        assertThat(key.under(FOUR_PER_SECOND).at(TICK + 2_000_000).state())
                .isEqualTo("granted, 8 left, unused in 1000000");
        // only to those who wrote last a clock that stepped back may show more than a bucket
        assertThat(key.at(TICK - HOUR).state()).isEqualTo("granted, 0 left, unused in 3603000000");
    }

    @Test
    void otherNumbersFindAFullBucketFull() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK + 1_500_000);
        key.acquire(4);

        // full at TICK + 2 s: later than the last tick of the new grid, but over
        key.at(TICK + 2_000_000);
        assertThat(key.under(bucket(3, 7, Duration.ofSeconds(7))).state()).isEqualTo("granted, 7 left, unused in 0");
        assertThat(key.isUnused()).isTrue();
        assertThat(key.at(TICK + 1_999_999).state()).isEqualTo("granted, 4 left, unused in 5000001");
    }

    @Test
    void farFutureOfOldNumbersStaysInRange() {
        Key key = new Key(bucket(1, 1_000_000, Duration.ofDays(31))).at(TICK);
        key.acquire(1_000_000);

        key.under(bucket(1_000_000, 1_000_000, Duration.ofMillis(1)));
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 1000");
    }

    @Test
    void cancelRestoresWhatNobodyReservedAfter() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK + 300_000);
        key.acquire(10);
        Hold first = key.reserve(3, HOUR);
        Hold second = key.reserve(3, HOUR);

        assertThat(first.dueMicros()).isEqualTo(TICK + 1_000_000);
        assertThat(first.dueFraction()).isZero();
        assertThat(second.dueMicros()).isEqualTo(TICK + 2_000_000);
        // of the first tick's 4 the second one has reserved 1, of the second tick's 4 it uses 2
        assertThat(key.cancel(first)).isEqualTo(1);
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 3700000");
        assertThat(key.cancel(second)).isEqualTo(3);
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 2700000");
    }

    @Test
    void cancelAfterTheTimeHasComeRestoresNothing() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK);
        key.acquire(10);
        Hold hold = key.reserve(3, HOUR);

        assertThat(key.at(TICK + 1_000_001).cancel(hold)).isZero();
        assertThat(key.at(TICK + 1_000_000).cancel(hold)).isEqualTo(3);
        assertThat(key.state()).isEqualTo("granted, 4 left, unused in 2000000");
    }

    @Test
    void cancelOfAForgottenChargeRestoresNothing() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK);
        Hold hold = key.reserve(3, 0);
        key.refund(2);

        assertThat(key.cancel(hold)).isEqualTo(1);
        assertThat(key.cancel(hold)).isZero();
    }

    @Test
    void cancelFarAheadOfItsTimeStaysInRange() {
        Limit limit = bucket(1_000_000_000, 1_000_000_000, Duration.ofMillis(1));
        Key key = new Key(limit).at(TICK);
        Hold hold = key.reserve(1_000_000_000, 0);
        key.under(bucket(1, 2_000, Duration.ofSeconds(1)));
        key.acquire(1_999);

        assertThat(key.under(limit).at(TICK - 400 * DAY).cancel(hold)).isEqualTo(1_000_000_000);
    }

    /** So many of the 10, 0.1 s later so many more that are lent, and then so many by others. */
    private static Hold lent(Key key, long before, long cost, long after) {
        key.at(TICK).acquire(before);
        Hold hold = key.at(TICK + 100_000).reserve(cost, 0);
        key.acquire(after);
        return hold;
    }

    @Test
    void whatIsLeftUntilTheTickThatFillsTheBucketIsTakenBackIfNobodyCame() {
        Key key = new Key(FOUR_PER_SECOND);
        Hold hold = lent(key, 3, 4, 0);

        // two ticks of 4 bring one permit too many for the 7
        assertThat(hold.lent()).isEqualTo(new Lent(TICK + 2_000_000, 1, false));
        assertThat(key.at(TICK + 2_000_000).giveUp(hold)).isZero();
        // the first tick has repaid the 3 before it and 1 of these
        assertThat(key.at(TICK + 1_000_000).giveUp(hold)).isEqualTo(3);
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void onceOthersCameTheTicksHaveRepaidWhatWasLentBeforeAllElse() {
        Key beforeTheTick = new Key(FOUR_PER_SECOND);
        Hold hold = lent(beforeTheTick, 1, 6, 2);
        assertThat(beforeTheTick.at(TICK + 500_000).giveUp(hold)).isEqualTo(6);
        assertThat(beforeTheTick.state()).isEqualTo("granted, 7 left, unused in 500000");

        Key afterIt = new Key(FOUR_PER_SECOND);
        hold = lent(afterIt, 1, 6, 2);
        assertThat(afterIt.at(TICK + 1_000_000).giveUp(hold)).isEqualTo(2);
        assertThat(afterIt.state()).isEqualTo("granted, 7 left, unused in 1000000");
    }

    @Test
    void ofACallThatHasEndedWhatIsLeftUntilTheTickThatWouldFillTheBucketIsTakenBackThoughOthersCame() {
        Key key = new Key(FOUR_PER_SECOND);
        Hold hold = lent(key, 1, 6, 2);

        // of the 7 that were missing then a tick has repaid 4, of the 6 alone as many
        assertThat(key.at(TICK + 1_000_000).end(hold)).isEqualTo(3);
        assertThat(key.state()).isEqualTo("granted, 8 left, unused in 1000000");
    }

    @Test
    void ofACallThatHasEndedNothingIsTakenBackOnceOthersCameAndTheTicksWouldHaveRepaidItAlone() {
        Key key = new Key(FOUR_PER_SECOND);
        Hold hold = lent(key, 3, 4, 2);

        assertThat(key.at(TICK + 1_000_000).end(hold)).isZero();
        assertThat(key.state()).isEqualTo("granted, 5 left, unused in 2000000");
        assertThat(key.at(TICK + 999_999).end(hold)).isEqualTo(4);
        assertThat(key.state()).isEqualTo("granted, 5 left, unused in 1000001");
    }

    @Test
    void whatIsLentStaysInRange() {
        Limit limit = bucket(1_000_000_000, 1_000_000_000, Duration.ofMillis(1));
        Key key = new Key(limit).at(TICK);
        assertThat(key.giveUp(key.reserve(1_000_000_000, 0))).isEqualTo(1_000_000_000);
        assertThat(key.state()).isEqualTo("granted, 1000000000 left, unused in 0");

        Hold hold = key.reserve(1_000_000_000, 0);
        key.under(bucket(1, 2_000, Duration.ofSeconds(1)));
        key.acquire(1_999);
        assertThat(key.under(limit).at(TICK - 400 * DAY).giveUp(hold)).isZero();
    }

    @Test
    void copyCountsOnItsOwn() {
        Key key = new Key(FOUR_PER_SECOND).at(TICK);
        key.acquire(5);
        Key copy = key.copy();

        assertThat(copy.state()).isEqualTo("granted, 5 left, unused in 2000000");
        copy.acquire(5);
        assertThat(key.state()).isEqualTo("granted, 5 left, unused in 2000000");
        assertThat(copy.at(TICK - HOUR - 1).looks()).isFalse();
    }
}
