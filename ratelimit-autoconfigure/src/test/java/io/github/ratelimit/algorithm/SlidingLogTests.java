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

class SlidingLogTests {

    private static final long HOUR = 3_600_000_000L;
    private static final long NOW = 1_800_000_000_000_000L;

    private static final Limit FIVE_PER_SECOND = log(5);

    private static Limit log(long permits) {
        return Limit.named("orders")
                .algorithm(Algorithm.SLIDING_WINDOW_LOG)
                .permits(permits)
                .period(Duration.ofSeconds(1))
                .build();
    }

    /** 1 at NOW, 3 at NOW + 10, 1 at NOW + 20. */
    private static Key spent() {
        Key key = new Key(FIVE_PER_SECOND).at(NOW);
        assertThat(key.acquire(1)).isEqualTo("granted, 4 left, unused in 1000000");
        assertThat(key.at(NOW + 10).acquire(3)).isEqualTo("granted, 1 left, unused in 1000000");
        assertThat(key.at(NOW + 20).acquire(1)).isEqualTo("granted, 0 left, unused in 1000000");
        return key;
    }

    @Test
    void grantCountsForExactlyOnePeriod() {
        Key key = spent();

        assertThat(key.at(NOW + 999_999).state()).isEqualTo("granted, 0 left, unused in 21");
        assertThat(key.at(NOW + 1_000_000).state()).isEqualTo("granted, 1 left, unused in 20");
        assertThat(key.at(NOW + 1_000_009).state()).isEqualTo("granted, 1 left, unused in 11");
        assertThat(key.at(NOW + 1_000_010).state()).isEqualTo("granted, 4 left, unused in 10");
        assertThat(key.at(NOW + 1_000_020).state()).isEqualTo("granted, 5 left, unused in 0");
    }

    @Test
    void tellsWhenEnoughWillBeGone() {
        Key key = spent().at(NOW + 30);

        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 999990, again in 999970");
        assertThat(key.acquire(2)).isEqualTo("PERMITS_SPENT, 0 left, unused in 999990, again in 999980");
        assertThat(key.acquire(4)).isEqualTo("PERMITS_SPENT, 0 left, unused in 999990, again in 999980");
        assertThat(key.acquire(5, HOUR)).isEqualTo("PERMITS_SPENT, 0 left, unused in 999990, again in 999990");
    }

    @Test
    void peekIsAcquireWithoutTrace() {
        Key key = spent().at(NOW + 1_000_015);

        assertThat(key.peek(3)).isEqualTo("granted, 1 left, unused in 1000000");
        assertThat(key.peek(5)).isEqualTo("PERMITS_SPENT, 4 left, unused in 5, again in 5");
        assertThat(key.acquire(4)).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void clockThatStepsBackFreesNothing() {
        Key key = spent().at(NOW - 100);

        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000120, again in 1000100");
        key.at(NOW + 1_000_005);
        key.acquire(1);
        key.at(NOW - 100);
        // as late as the newest grant, the first one is over
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 2000105, again in 1000110");
        assertThat(key.under(log(6)).acquire(1)).isEqualTo("granted, 0 left, unused in 2000105");
        assertThat(key.at(NOW + 2_000_005).isUnused()).isTrue();
    }

    @Test
    void denialForgetsNothing() {
        Key key = spent();

        key.at(NOW + 1_000_010).acquire(5);
        assertThat(key.at(NOW + 20).state()).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void absurdFutureIsUnused() {
        Key key = spent();

        assertThat(key.at(NOW + 20 - HOUR - 1_000_000).looks()).isTrue();
        assertThat(key.acquire(1)).startsWith("PERMITS_SPENT");
        assertThat(key.at(NOW + 20 - HOUR - 1_000_001).looks()).isFalse();
        assertThat(key.state()).isEqualTo("granted, 5 left, unused in 0");
        assertThat(key.acquire(1)).isEqualTo("granted, 4 left, unused in 1000000");
        assertThat(key.looks()).isTrue();
        assertThat(key.at(NOW + 20).state()).isEqualTo("granted, 5 left, unused in 0");
    }

    @Test
    void givesBackTheNewest() {
        Key key = spent().at(NOW + 30);

        assertThat(key.refund(0)).isEqualTo("granted, 0 left, unused in 999990");
        assertThat(key.refund(1)).isEqualTo("granted, 1 left, unused in 999980");
        assertThat(key.refund(2)).isEqualTo("granted, 3 left, unused in 999980");
        assertThat(key.acquire(2)).isEqualTo("granted, 1 left, unused in 1000000");
        assertThat(key.refund(Long.MAX_VALUE)).isEqualTo("granted, 5 left, unused in 0");
        assertThat(key.refund(1)).isEqualTo("granted, 5 left, unused in 0");
        assertThat(key.acquire(5)).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void givesBackOnlyWhatStillCounts() {
        Key key = spent().at(NOW + 1_000_010);

        assertThat(key.refund(5)).isEqualTo("granted, 5 left, unused in 0");
        assertThat(key.isUnused()).isTrue();
        // what counted no more is forgotten with it
        assertThat(key.at(NOW + 20).state()).isEqualTo("granted, 5 left, unused in 0");
    }

    @Test
    void refundOfNothingWritesNothing() {
        Key key = spent().at(NOW + 1_000_010);
        key.refund(0);

        assertThat(key.at(NOW + 20).state()).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void otherNumbersKeepTheCount() {
        Key key = spent();

        assertThat(key.under(log(7)).state()).isEqualTo("granted, 2 left, unused in 1000000");
        key.under(log(2));
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 999990");
        assertThat(key.acquire(2)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 1000000");
    }

    @Test
    void holdIsDueAtOnceAndCancelledAsLongAsItCounts() {
        Key key = new Key(FIVE_PER_SECOND).at(NOW);
        Hold hold = key.reserve(2, HOUR);

        assertThat(hold.dueMicros()).isEqualTo(NOW);
        assertThat(key.cancel(hold)).isEqualTo(2);
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void cancelLeavesWhatWasGrantedLater() {
        Key key = new Key(FIVE_PER_SECOND).at(NOW);
        Hold hold = key.reserve(2, HOUR);
        key.at(NOW + 10).acquire(1);
        key.at(NOW + 20).acquire(2);

        assertThat(key.cancel(hold)).isEqualTo(2);
        assertThat(key.state()).isEqualTo("granted, 2 left, unused in 1000000");
        assertThat(key.at(NOW + 1_000_009).state()).isEqualTo("granted, 2 left, unused in 11");
        assertThat(key.at(NOW + 1_000_010).state()).isEqualTo("granted, 3 left, unused in 10");
        assertThat(key.at(NOW + 1_000_020).isUnused()).isTrue();
    }

    @Test
    void cancelGivesNothingThatCountsNoMore() {
        Key key = new Key(FIVE_PER_SECOND).at(NOW);
        Hold hold = key.reserve(2, HOUR);

        key.at(NOW + 1_000_000).acquire(5);
        assertThat(key.cancel(hold)).isZero();
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void cancelGivesNoMoreThanIsLeftAtItsInstant() {
        Key key = new Key(FIVE_PER_SECOND).at(NOW);
        key.acquire(1);
        Hold hold = key.at(NOW + 10).reserve(3, HOUR);
        key.refund(2);

        assertThat(key.cancel(hold)).isEqualTo(1);
        assertThat(key.state()).isEqualTo("granted, 4 left, unused in 999990");
        assertThat(key.cancel(hold)).isZero();
    }

    @Test
    void whatCountsNoMoreIsForgottenWithWhatIsCancelled() {
        Key key = new Key(FIVE_PER_SECOND).at(NOW);
        key.acquire(2);
        Hold hold = key.at(NOW + 10).reserve(1, HOUR);
        key.at(NOW + 20).acquire(1);

        assertThat(key.at(NOW + 1_000_005).cancel(hold)).isEqualTo(1);
        assertThat(key.state()).isEqualTo("granted, 4 left, unused in 15");
        assertThat(key.at(NOW + 20).state()).isEqualTo("granted, 4 left, unused in 1000000");
    }

    @Test
    void copyOfWhatCountsNoMoreIsUnused() {
        Key key = new Key(FIVE_PER_SECOND).at(NOW);
        key.acquire(1);
        Key copy = key.at(NOW + 1_000_000).copy();

        // as late as the newest grant, it would be unused 100 microseconds later
        assertThat(copy.at(NOW - 100).acquire(5)).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void copyHoldsAllAtTheInstantOfTheNewest() {
        Key copy = spent().at(NOW + 1_000_005).copy();

        assertThat(copy.state()).isEqualTo("granted, 1 left, unused in 15");
        assertThat(copy.at(NOW + 1_000_015).state()).isEqualTo("granted, 1 left, unused in 5");
        assertThat(copy.at(NOW + 1_000_020).state()).isEqualTo("granted, 5 left, unused in 0");
        assertThat(new Key(FIVE_PER_SECOND).at(NOW).copy().isUnused()).isTrue();
    }
}
