/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Anchor;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FixedWindowTests {

    private static final long HOUR = 3_600_000_000L;

    /** The beginning of a second. */
    private static final long NOW = 1_800_000_000_000_000L;

    private static final Limit OF_THE_CLOCK = window(Anchor.CLOCK, 3);
    private static final Limit OF_THE_FIRST_CALL = window(Anchor.FIRST_CALL, 3);

    private static Limit window(Anchor anchor, long permits) {
        return Limit.named("orders")
                .algorithm(Algorithm.FIXED_WINDOW)
                .anchor(anchor)
                .permits(permits)
                .period(Duration.ofSeconds(1))
                .build();
    }

    @Test
    void countsInWindowsOfTheClock() {
        Key key = new Key(OF_THE_CLOCK).at(NOW + 999_999);

        assertThat(key.state()).isEqualTo("granted, 3 left, unused in 0");
        assertThat(key.acquire(2)).isEqualTo("granted, 1 left, unused in 1");
        assertThat(key.acquire(2)).isEqualTo("PERMITS_SPENT, 1 left, unused in 1, again in 1");
        key.at(NOW + 1_000_000);
        assertThat(key.isUnused()).isTrue();
        assertThat(key.acquire(3)).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 1000000");
        assertThat(key.at(NOW + 1_999_999).acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1, again in 1");
        assertThat(key.at(NOW + 5_400_000).acquire(1)).isEqualTo("granted, 2 left, unused in 600000");
    }

    @Test
    void windowsOfTheClockBeforeTheEpochToo() {
        Key key = new Key(OF_THE_CLOCK).at(-1);

        assertThat(key.acquire(3)).isEqualTo("granted, 0 left, unused in 1");
        assertThat(key.at(0).acquire(3)).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void opensAWindowWithTheFirstGrant() {
        Key key = new Key(OF_THE_FIRST_CALL).at(NOW + 700_000);

        assertThat(key.peek(1)).isEqualTo("granted, 2 left, unused in 1000000");
        key.at(NOW + 800_000);
        assertThat(key.acquire(1)).isEqualTo("granted, 2 left, unused in 1000000");
        assertThat(key.at(NOW + 1_799_999).acquire(3)).isEqualTo("PERMITS_SPENT, 2 left, unused in 1, again in 1");
        assertThat(key.acquire(2)).isEqualTo("granted, 0 left, unused in 1");
        assertThat(key.at(NOW + 1_800_000).acquire(1)).isEqualTo("granted, 2 left, unused in 1000000");
        assertThat(key.at(NOW + 3_000_000).isUnused()).isTrue();
    }

    @Test
    void givesNoDelay() {
        Key key = new Key(OF_THE_CLOCK).at(NOW);
        key.acquire(3);

        assertThat(key.acquire(1, HOUR)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 1000000");
    }

    @Test
    void clockThatStepsBackStaysInTheLatestWindow() {
        Key key = new Key(OF_THE_CLOCK).at(NOW);
        key.acquire(2);
        key.at(NOW - 10);
        assertThat(key.acquire(2)).isEqualTo("PERMITS_SPENT, 1 left, unused in 1000010, again in 1000010");
        assertThat(key.acquire(1)).isEqualTo("granted, 0 left, unused in 1000010");

        Key other = new Key(OF_THE_FIRST_CALL).at(NOW);
        other.acquire(2);
        assertThat(other.at(NOW - 10).acquire(1)).isEqualTo("granted, 0 left, unused in 1000010");
    }

    @Test
    void absurdFutureIsUnused() {
        Key key = new Key(OF_THE_CLOCK).at(NOW);
        key.acquire(3);

        assertThat(key.at(NOW - HOUR).looks()).isTrue();
        assertThat(key.acquire(1)).startsWith("PERMITS_SPENT");
        assertThat(key.at(NOW - HOUR - 1).looks()).isFalse();
        assertThat(key.acquire(1)).isEqualTo("granted, 2 left, unused in 1");

        Key other = new Key(OF_THE_FIRST_CALL).at(NOW);
        other.acquire(3);
        assertThat(other.at(NOW - HOUR - 1).looks()).isFalse();
        assertThat(other.acquire(1)).isEqualTo("granted, 2 left, unused in 1000000");
    }

    @Test
    void givesBackTheNewest() {
        Key key = new Key(OF_THE_FIRST_CALL).at(NOW);
        key.acquire(3);
        key.at(NOW + 1);

        assertThat(key.refund(2)).isEqualTo("granted, 2 left, unused in 999999");
        assertThat(key.refund(0)).isEqualTo("granted, 2 left, unused in 999999");
        assertThat(key.refund(2)).isEqualTo("granted, 3 left, unused in 0");
        assertThat(key.refund(2)).isEqualTo("granted, 3 left, unused in 0");
        // an unused window is closed: the next grant opens another
        assertThat(key.acquire(1)).isEqualTo("granted, 2 left, unused in 1000000");
    }

    @Test
    void refundOfAnotherWindowGivesNothingBack() {
        Key key = new Key(OF_THE_CLOCK).at(NOW);
        key.acquire(3);

        assertThat(key.at(NOW + 1_000_000).refund(3)).isEqualTo("granted, 3 left, unused in 0");
        assertThat(key.at(NOW).state()).isEqualTo("granted, 0 left, unused in 1000000");
    }

    @Test
    void otherNumbersKeepTheCount() {
        Key key = new Key(window(Anchor.CLOCK, 100)).at(NOW);
        key.acquire(30);

        assertThat(key.under(window(Anchor.CLOCK, 50)).state()).isEqualTo("granted, 20 left, unused in 1000000");
        assertThat(key.under(window(Anchor.CLOCK, 20)).state()).isEqualTo("granted, 0 left, unused in 1000000");
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1000000, again in 1000000");
        assertThat(key.acquire(21)).isEqualTo("COST_EXCEEDS_CAPACITY, 0 left, unused in 1000000, again never");
    }

    @Test
    void holdIsDueAtOnceAndCancelledAsLongAsItCounts() {
        Key key = new Key(OF_THE_CLOCK).at(NOW);
        Hold hold = key.reserve(2, HOUR);

        assertThat(hold.dueMicros()).isEqualTo(NOW);
        assertThat(hold.dueFraction()).isZero();
        assertThat(key.at(NOW + 10).cancel(hold)).isEqualTo(2);
        assertThat(key.cancel(hold)).isZero();
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void cancelGivesNothingToALaterWindow() {
        for (Limit limit : List.of(OF_THE_CLOCK, OF_THE_FIRST_CALL)) {
            Key key = new Key(limit).at(NOW);
            Hold hold = key.reserve(2, HOUR);

            key.at(NOW + 1_000_000).acquire(3);
            assertThat(key.cancel(hold)).isZero();
            assertThat(key.state()).isEqualTo("granted, 0 left, unused in 1000000");
        }
    }

    @Test
    void aWindowThatTheClockStepsBackFromIsCancelledAsLongAsItCounts() {
        Key key = new Key(OF_THE_CLOCK).at(NOW + 1_000_000);
        key.acquire(1);
        Hold hold = key.at(NOW + 999_999).reserve(1, HOUR);

        assertThat(hold.dueMicros()).isEqualTo(NOW + 1_000_000);
        assertThat(key.cancel(hold)).isEqualTo(1);
        assertThat(key.state()).isEqualTo("granted, 2 left, unused in 1000001");
    }

    @Test
    void cancelGivesNothingToAnEarlierWindow() {
        Key key = new Key(OF_THE_CLOCK).at(NOW + 1_000_000);
        Hold hold = key.reserve(1, HOUR);
        key.refund(1);

        // nothing tells of the later window any more: the clock steps back, and counts in the earlier one
        key.at(NOW + 500_000).acquire(2);
        assertThat(key.cancel(hold)).isZero();
        assertThat(key.state()).isEqualTo("granted, 1 left, unused in 500000");
    }

    @Test
    void copyCountsOnItsOwn() {
        Key key = new Key(OF_THE_FIRST_CALL).at(NOW);
        key.acquire(1);
        Key copy = key.copy().at(NOW + 10);

        assertThat(copy.acquire(2)).isEqualTo("granted, 0 left, unused in 999990");
        assertThat(key.state()).isEqualTo("granted, 2 left, unused in 1000000");
    }
}
