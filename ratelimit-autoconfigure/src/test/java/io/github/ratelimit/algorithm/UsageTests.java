/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every algorithm. */
class UsageTests {

    private static final long HOUR = 3_600_000_000L;
    private static final long LONGEST = 31 * 24 * HOUR;

    /** The beginning of an hour. */
    private static final long NOW = 500_000 * HOUR;

    private static Limit limit(Kind kind) {
        return kind.named("orders").permits(3).period(Duration.ofHours(1)).build();
    }

    private static Limit strict(Kind kind) {
        return limit(kind).with().penalty(Duration.ofSeconds(30)).build();
    }

    private static Limit bucket() {
        return limit(Kind.TOKEN_BUCKET);
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsAlwaysGranted(Kind kind) {
        Key key = new Key(limit(kind)).at(NOW);
        assertThat(key.acquire(0)).isEqualTo("granted, 3 left, unused in 0");
        key.acquire(3);

        assertThat(key.acquire(0)).startsWith("granted, 0 left").doesNotContain("delay");
        key.lock(10 * HOUR);
        assertThat(key.acquire(0)).isEqualTo("granted, 0 left, unused in 36000000000");
    }

    @ParameterizedTest
    @EnumSource
    void moreThanTheCapacityIsNeverGrantedAndStartsNoPenalty(Kind kind) {
        Key key = new Key(strict(kind)).at(NOW);

        assertThat(key.acquire(4, HOUR)).isEqualTo("COST_EXCEEDS_CAPACITY, 3 left, unused in 0, again never");
        assertThat(key.acquire(Long.MAX_VALUE)).isEqualTo("COST_EXCEEDS_CAPACITY, 3 left, unused in 0, again never");
        assertThat(key.isUnused()).isTrue();
        key.lock(5);
        assertThat(key.acquire(4)).isEqualTo("COST_EXCEEDS_CAPACITY, 0 left, unused in 5, again never");
    }

    @ParameterizedTest
    @EnumSource
    void denialStartsAPenaltyThatIsNeverExtended(Kind kind) {
        Limit limit = kind.named("orders")
                .permits(3)
                .period(Duration.ofSeconds(1))
                .penalty(Duration.ofSeconds(30))
                .build();
        Key key = new Key(limit).at(NOW);
        key.acquire(3);

        assertThat(key.peek(1)).isEqualTo("PENALTY, 0 left, unused in 30000000, again in 30000000");
        assertThat(key.state()).doesNotContain("30000000");
        assertThat(key.acquire(1)).isEqualTo("PENALTY, 0 left, unused in 30000000, again in 30000000");
        key.at(NOW + 29_999_999);
        assertThat(key.acquire(1)).isEqualTo("PENALTY, 0 left, unused in 1, again in 1");
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 1");
        assertThat(key.isUnused()).isFalse();
        key.at(NOW + 30_000_000);
        assertThat(key.isUnused()).isTrue();
        assertThat(key.acquire(1)).startsWith("granted, 2 left");
    }

    @Test
    void wholeCapacityDeniedStartsAPenaltyToo() {
        Key key = new Key(strict(Kind.FIXED_WINDOW)).at(NOW);
        key.acquire(1);

        assertThat(key.acquire(3)).startsWith("PENALTY");
        assertThat(key.acquire(1)).startsWith("PENALTY");
    }

    @Test
    void penaltyShorterThanTheCounterHandsNothingOut() {
        Key key = new Key(strict(Kind.TOKEN_BUCKET)).at(NOW);
        key.acquire(3);

        assertThat(key.acquire(1)).isEqualTo("PENALTY, 0 left, unused in 3600000000, again in 1200000000");
        key.at(NOW + 10_000_000);
        assertThat(key.acquire(2)).isEqualTo("PENALTY, 0 left, unused in 3590000000, again in 2390000000");
        assertThat(key.acquire(2, 2_380_000_000L))
                .isEqualTo("PENALTY, 0 left, unused in 3590000000, again in 20000000");
    }

    @Test
    void shadowLimitStartsNoPenaltyAndNeverWaits() {
        Limit shadow = strict(Kind.TOKEN_BUCKET).with().shadow(true).build();
        Key key = new Key(shadow).at(NOW);
        key.acquire(3);

        assertThat(key.acquire(1, HOUR)).isEqualTo("PERMITS_SPENT, 0 left, unused in 3600000000, again in 1200000000");
        key.lock(5);
        assertThat(key.acquire(1)).isEqualTo("PENALTY, 0 left, unused in 3600000000, again in 1200000000");
    }

    @Test
    void shadowIntervalNeverWaits() {
        Limit shadow = limit(Kind.TOKEN_BUCKET_INTERVAL).with().shadow(true).build();
        Key key = new Key(shadow).at(NOW);
        key.acquire(3);

        assertThat(key.acquire(1, HOUR)).isEqualTo("PERMITS_SPENT, 0 left, unused in 3600000000, again in 3600000000");
    }

    @Test
    void lockDeniesWhatTheCounterWouldGrant() {
        Key key = new Key(bucket()).at(NOW).lock(100);

        assertThat(key.usage().grants(0, 0)).isTrue();
        assertThat(key.acquire(1, HOUR)).isEqualTo("PENALTY, 0 left, unused in 100, again in 100");
        assertThat(key.usage().grantable(3)).isZero();
        key.at(NOW + 99);
        assertThat(key.acquire(3)).isEqualTo("PENALTY, 0 left, unused in 1, again in 1");
        assertThat(key.at(NOW + 100).acquire(3)).startsWith("granted");
    }

    @Test
    void longerLockStays() {
        Key key = new Key(bucket()).at(NOW).lock(100).lock(50);
        assertThat(key.state()).isEqualTo("granted, 0 left, unused in 100");
        assertThat(key.at(NOW + 10).lock(90).state()).isEqualTo("granted, 0 left, unused in 90");
        assertThat(key.lock(91).state()).isEqualTo("granted, 0 left, unused in 91");
        assertThat(key.lock(0).state()).isEqualTo("granted, 0 left, unused in 91");
    }

    @Test
    void lockThatChangesNothingWritesNothing() {
        Key key = new Key(bucket()).at(NOW);
        key.acquire(3);
        key.under(bucket().with().permits(1).build()).lock(0);

        assertThat(key.under(bucket()).at(NOW - HOUR - 1).looks()).isFalse();
    }

    @Test
    void writesKeepALock() {
        Key key = new Key(bucket()).at(NOW);
        key.acquire(3);
        key.lock(100);

        assertThat(key.at(NOW + 10).refund(3)).isEqualTo("granted, 0 left, unused in 90");
        assertThat(key.at(NOW + 20).state()).isEqualTo("granted, 0 left, unused in 80");
    }

    @Test
    void lockIsNeverBelievedBeyondTheLongest() {
        Key key = new Key(bucket()).at(NOW).lock(LONGEST);

        assertThat(key.at(NOW - HOUR).acquire(1)).startsWith("PENALTY");
        assertThat(key.at(NOW - HOUR - 1).peek(1)).startsWith("granted, 2 left");
        assertThat(key.isUnused()).isTrue();
        assertThat(key.looks()).isTrue();
        assertThat(key.at(NOW - HOUR).isUnused()).isFalse();
        // whatever is written drops it
        assertThat(key.at(NOW - HOUR - 1).acquire(1)).startsWith("granted, 2 left");
        assertThat(key.at(NOW).acquire(1)).startsWith("granted");
    }

    @ParameterizedTest
    @EnumSource
    void lockThatIsNotBelievedGoesWithWhatIsGivenBack(Kind kind) {
        Limit slow = limit(kind).with().period(Duration.ofDays(1)).build();
        Key key = new Key(slow).at(NOW - HOUR - 1);
        key.acquire(2);
        key.at(NOW).lock(LONGEST);

        assertThat(key.at(NOW - HOUR - 1).refund(1)).startsWith("granted, 2 left");
        assertThat(key.at(NOW).state()).startsWith("granted, 2 left");
    }

    @Test
    void absurdCounterTakesItsLockAlong() {
        Key key = new Key(bucket()).at(NOW);
        key.acquire(3);
        key.lock(5 * HOUR);

        key.at(NOW - HOUR - 1);
        assertThat(key.peek(1)).startsWith("granted, 2 left");
        // it may be that of others with the same mark
        assertThat(key.isUnused()).isFalse();
        assertThat(key.refund(1)).isEqualTo("granted, 3 left, unused in 0");
        assertThat(key.at(NOW).peek(1)).startsWith("PENALTY");
        assertThat(key.at(NOW - HOUR - 1).lock(7).at(NOW).state()).isEqualTo("granted, 3 left, unused in 0");
    }

    @ParameterizedTest
    @EnumSource
    void grantableIsWhatIsThere(Kind kind) {
        Key key = new Key(limit(kind)).at(NOW);
        key.acquire(1);
        key.looks();

        assertThat(key.usage().grantable(5)).isEqualTo(2);
        assertThat(key.usage().grantable(1)).isEqualTo(1);
        assertThat(key.usage().grantable(0)).isZero();
    }

    @Test
    void sparedIsToldTheUnchargedState() {
        Key key = new Key(bucket()).at(NOW);
        key.acquire(1);

        assertThat(key.spared(1)).isEqualTo("granted, 2 left, unused in 1200000000");
        assertThat(key.state()).isEqualTo("granted, 2 left, unused in 1200000000");
    }

    @Test
    void forgetsCounterAndLock() {
        Key key = new Key(bucket()).at(NOW);
        key.acquire(2);
        key.lock(10);
        key.usage().forget();

        assertThat(key.state()).isEqualTo("granted, 3 left, unused in 0");
        assertThat(key.isUnused()).isTrue();
    }

    @Test
    void copyTakesTheLockAlong() {
        Key key = new Key(bucket()).at(NOW);
        key.acquire(2);
        Key copy = key.lock(10 * HOUR).copy();

        assertThat(copy.acquire(1)).isEqualTo("PENALTY, 0 left, unused in 36000000000, again in 36000000000");
        assertThat(copy.at(NOW + 10 * HOUR).isUnused()).isTrue();
    }

    @Test
    void keepsOnlyWhatChanged() {
        Limit cut = bucket().with().permits(1).penalty(Duration.ofMillis(1)).build();
        Key key = new Key(bucket()).at(NOW);
        key.acquire(3);

        // a cut debt and a penalty, written by one denial
        key.under(cut).acquire(1);
        assertThat(key.at(NOW + 1_000).peek(1)).endsWith("again in 3599999000");
    }

    @Test
    void algorithmsHaveTheirCounters() {
        for (Algorithm algorithm : Algorithm.values()) {
            Limit limit = Limit.named("orders").algorithm(algorithm).permits(2).build();
            assertThat(new Key(limit).at(NOW).acquire(2)).startsWith("granted, 0 left");
        }
    }
}
