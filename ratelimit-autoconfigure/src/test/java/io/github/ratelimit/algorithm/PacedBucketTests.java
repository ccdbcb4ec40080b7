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

class PacedBucketTests {

    private static final long NOW = 1_800_000_000_000_000L;
    private static final long HOUR = 3_600_000_000L;

    private static final Limit THREE_PER_SECOND = Limit.named("orders")
            .algorithm(Algorithm.LEAKY_BUCKET)
            .permits(3)
            .burst(4L)
            .period(Duration.ofSeconds(1))
            .build();

    @Test
    void departuresAreOnePermitApart() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);

        assertThat(key.acquire(1, HOUR)).isEqualTo("granted, 3 left, unused in 333334");
        assertThat(key.acquire(1, HOUR)).isEqualTo("granted, 2 left, unused in 666667, delay 333334");
        assertThat(key.acquire(1, HOUR)).isEqualTo("granted, 1 left, unused in 1000000, delay 666667");
        assertThat(key.acquire(1, HOUR)).isEqualTo("granted, 0 left, unused in 1333334, delay 1000000");
        assertThat(key.acquire(1, HOUR)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1333334, again in 333334");
    }

    @Test
    void costOccupiesDepartures() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);

        assertThat(key.acquire(3, 0)).isEqualTo("granted, 1 left, unused in 1000000");
        assertThat(key.acquire(2, HOUR)).isEqualTo("PERMITS_SPENT, 1 left, unused in 1000000, again in 333334");
        assertThat(key.acquire(1, HOUR)).isEqualTo("granted, 0 left, unused in 1333334, delay 1000000");
    }

    @Test
    void deniesADepartureThatIsTooLate() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(2);

        assertThat(key.acquire(1)).isEqualTo("WAIT_TOO_LONG, 2 left, unused in 666667, again in 666667");
        assertThat(key.acquire(1, 666_666)).isEqualTo("WAIT_TOO_LONG, 2 left, unused in 666667, again in 1");
        assertThat(key.acquire(1, 666_667)).isEqualTo("granted, 1 left, unused in 1000000, delay 666667");
    }

    @Test
    void fullBucketIsNoLackOfPermits() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(3);

        assertThat(key.acquire(1)).isEqualTo("WAIT_TOO_LONG, 1 left, unused in 1000000, again in 1000000");
    }

    @Test
    void onlyALackOfPermitsStartsAPenalty() {
        Limit strict = THREE_PER_SECOND.with().penalty(Duration.ofMinutes(1)).build();
        Key key = new Key(strict).at(NOW);
        key.acquire(2);

        assertThat(key.acquire(1)).isEqualTo("WAIT_TOO_LONG, 2 left, unused in 666667, again in 666667");
        assertThat(key.acquire(2, 666_666)).isEqualTo("WAIT_TOO_LONG, 2 left, unused in 666667, again in 1");
        assertThat(key.acquire(1, HOUR)).isEqualTo("granted, 1 left, unused in 1000000, delay 666667");
        assertThat(key.acquire(2)).isEqualTo("PENALTY, 0 left, unused in 60000000, again in 60000000");
    }

    @Test
    void tellsTheLaterOfRoomAndDeparture() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(4);

        // room for 1 in 1/3 s, but an undelayed departure only in 4/3 s
        assertThat(key.acquire(1)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1333334, again in 1333334");
        assertThat(key.acquire(1, 1_000_000)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1333334, again in 333334");
        assertThat(key.acquire(1, 1_333_334)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1333334, again in 333334");
        assertThat(key.acquire(3, HOUR)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1333334, again in 1000000");
    }

    @Test
    void nothingHasNoDelay() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(2);

        assertThat(key.acquire(0)).isEqualTo("granted, 2 left, unused in 666667");
        assertThat(key.spared(1)).isEqualTo("granted, 2 left, unused in 666667");
    }

    @Test
    void shadowOnlyMeters() {
        Limit shadow = THREE_PER_SECOND.with().shadow(true).build();
        Key key = new Key(shadow).at(NOW);
        key.acquire(2, HOUR);

        assertThat(key.acquire(2, HOUR)).isEqualTo("granted, 0 left, unused in 1333334");
        assertThat(key.acquire(1, HOUR)).isEqualTo("PERMITS_SPENT, 0 left, unused in 1333334, again in 333334");
        Key other = new Key(shadow).at(NOW);
        other.acquire(2);
        assertThat(other.reserve(1, HOUR).dueMicros()).isEqualTo(NOW);
    }

    @Test
    void cancelRestoresWhatNobodyReservedAfter() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(1);
        Hold first = key.reserve(2, HOUR);
        Hold second = key.reserve(1, HOUR);

        assertThat(first.dueMicros()).isEqualTo(NOW + 333_333);
        assertThat(first.dueFraction()).isEqualTo(1);
        assertThat(second.dueMicros()).isEqualTo(NOW + 1_000_000);
        assertThat(second.dueFraction()).isZero();
        assertThat(key.cancel(first)).isEqualTo(1);
        assertThat(key.state()).isEqualTo("granted, 1 left, unused in 1000000");
        assertThat(key.cancel(second)).isEqualTo(1);
        assertThat(key.state()).isEqualTo("granted, 2 left, unused in 666667");
    }

    @Test
    void cancelAfterTheTimeHasComeRestoresNothing() {
        Key key = new Key(THREE_PER_SECOND).at(NOW);
        key.acquire(1);
        Hold hold = key.reserve(2, HOUR);

        assertThat(key.at(NOW + 333_335).cancel(hold)).isZero();
        assertThat(key.at(NOW + 333_334).cancel(hold)).isEqualTo(2);
        assertThat(key.isUnused()).isTrue();
    }
}
