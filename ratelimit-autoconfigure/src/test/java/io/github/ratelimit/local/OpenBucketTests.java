/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import io.github.ratelimit.Refill;
import io.github.ratelimit.algorithm.OneNumber;
import io.github.ratelimit.algorithm.Usage;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenBucketTests {

    private static final long NOW = 1_800_000_000_000_000L;
    private static final Limit THREE = bucket().build();

    private static LimitBuilder bucket() {
        return Limit.named("orders").permits(3).period(Duration.ofSeconds(1));
    }

    /** A bucket of which so much was charged at this instant. */
    private static Usage charged(Limit limit, long cost, long now) {
        Usage usage = Usage.unused(limit);
        usage.look(limit, now);
        usage.charge(cost, 0);
        usage.keep();
        return usage;
    }

    private static OpenBucket opened(Usage usage) {
        assertThat(usage.number()).isNotEqualTo(OneNumber.UNKNOWN);
        return Objects.requireNonNull(OpenBucket.leftOpen(null, usage));
    }

    private static OpenBucket opened(Limit limit) {
        return opened(charged(limit, 1, NOW));
    }

    @Test
    void goesOnWhereTheBucketIsAndLeavesItWhereItHasCome() {
        Usage usage = charged(THREE, 1, NOW);
        OpenBucket open = opened(usage);

        assertThat(open.decide(true, THREE, 1, () -> NOW)).isEqualTo(new Allowed(THREE, 1, 666_667, 0));
        assertThat(open.decide(true, THREE, 2, () -> NOW + 1))
                .isEqualTo(new Denied(THREE, DenialReason.PERMITS_SPENT, 1, 666_666, 333_333));
        assertThat(open.decide(true, THREE, 4, () -> NOW + 1))
                .isEqualTo(new Denied(THREE, DenialReason.COST_EXCEEDS_CAPACITY, 1, 666_666, Denied.NEVER));
        assertThat(open.decide(true, THREE, 1, () -> NOW + 1)).isEqualTo(new Allowed(THREE, 0, 999_999, 0));

        open.closeInto(usage);
        assertThat(open.decide(true, THREE, 1, () -> NOW + 5_000_000)).isNull();
        usage.look(THREE, NOW + 1);
        assertThat(usage.deny(1, 0)).isEqualTo(new Denied(THREE, DenialReason.PERMITS_SPENT, 0, 999_999, 333_333));
    }

    @Test
    void aFullOneIsLeftFull() {
        Usage usage = charged(THREE, 1, NOW);
        usage.look(THREE, NOW);
        usage.giveBack(1);
        OpenBucket open = opened(usage);

        open.closeInto(usage);
        assertThat(usage.isUnused(NOW - 86_400_000_000L)).isTrue();
    }

    static Stream<Limit> withoutOneNumber() {
        return Stream.of(
                bucket().shadow(true).build(),
                bucket().algorithm(Algorithm.LEAKY_BUCKET).build(),
                bucket().refill(Refill.INTERVAL).build(),
                bucket().algorithm(Algorithm.FIXED_WINDOW).build(),
                bucket().algorithm(Algorithm.SLIDING_WINDOW_LOG).build(),
                bucket().algorithm(Algorithm.SLIDING_WINDOW_COUNTER).build(),
                // a microsecond has 999,983 ticks: today is too many of them after 1970
                bucket().permits(999_983).period(Duration.ofMillis(1)).build());
    }

    @ParameterizedTest
    @MethodSource("withoutOneNumber")
    void staysUnderItsLockWhereOneNumberIsNotEnough(Limit limit) {
        assertThat(charged(limit, 1, NOW).number()).isEqualTo(OneNumber.UNKNOWN);
    }

    @Test
    void anUnpacedLeakyBucketIsOne() {
        Limit meter = bucket().algorithm(Algorithm.LEAKY_BUCKET).pace(false).build();
        assertThat(opened(meter).decide(true, meter, 1, () -> NOW)).isEqualTo(new Allowed(meter, 1, 666_667, 0));
    }

    @Test
    void staysUnderItsLockWhileTheKeyIsLockedOrOthersSeeAnotherBucket() {
        Usage usage = charged(THREE, 1, NOW);
        usage.look(THREE, NOW);
        usage.lockFor(1_000);
        usage.keep();
        assertThat(usage.number()).isEqualTo(OneNumber.UNKNOWN);

        usage = charged(bucket().burst(100L).build(), 90, NOW);
        usage.look(THREE, NOW);
        assertThat(usage.number()).as("not yet written by these numbers").isEqualTo(OneNumber.UNKNOWN);
        usage.look(THREE, NOW + 1_000_000);
        usage.charge(1, 0);
        usage.keep();
        assertThat(usage.number()).as("cut for these numbers").isEqualTo(OneNumber.UNKNOWN);
    }

    /** Two sets of numbers of one mark: a rest of the one may be more ticks than a microsecond of the other has. */
    @ParameterizedTest
    @ValueSource(longs = {14_015, 67}) // which leave 32 ticks and 1
    void staysUnderItsLockWhereTheRestIsNotOfItsNumbers(long cost) {
        Limit many = bucket().permits(237)
                .period(Duration.ofMillis(10))
                .burst(53_696L)
                .build();
        Limit other = bucket().permits(1_000_000)
                .period(Duration.ofDays(1))
                .burst(1_000_000L)
                .build();
        assertThat(many.fingerprint()).isEqualTo(other.fingerprint());
        Usage usage = charged(many, cost, NOW);
        assertThat(usage.number()).isNotEqualTo(OneNumber.UNKNOWN);

        usage.look(other, NOW);
        assertThat(usage.number()).isEqualTo(OneNumber.UNKNOWN);
    }

    @Test
    void whatOneNumberDoesNotTellIsLeftToTheLock() {
        OpenBucket open = opened(THREE);

        assertThat(open.decide(true, bucket().burst(5L).build(), 1, () -> NOW)).isNull();
        assertThat(open.decide(true, THREE, 1, () -> NOW - 2_000_000))
                .as("too far ahead")
                .isNull();
        assertThat(open.decide(true, THREE, 1, () -> Long.MAX_VALUE / 2))
                .as("too many ticks")
                .isNull();
        assertThat(open.decide(true, bucket().build(), 1, () -> NOW))
                .as("equal numbers")
                .isEqualTo(new Allowed(THREE, 1, 666_667, 0));

        Limit withPenalty = bucket().penalty(Duration.ofSeconds(1)).build();
        OpenBucket strict = opened(withPenalty);
        assertThat(strict.decide(true, withPenalty, 3, () -> NOW))
                .as("a penalty begins")
                .isNull();
        assertThat(strict.decide(true, withPenalty, 2, () -> NOW)).isEqualTo(new Allowed(withPenalty, 0, 1_000_000, 0));
    }

    /** Three ticks each: what is beyond the number would be counted from another instant. */
    @Test
    void aClockOfTooManyTicksIsLeftToTheLock() {
        OpenBucket open = opened(THREE);
        long wrapsToOneAhead = Math.floorDiv((1L << 60) + 1, 3) + Long.MAX_VALUE / 3 * 2;

        assertThat(3 * wrapsToOneAhead).isBetween(3 * NOW, 1L << 61);
        assertThat(open.decide(true, THREE, 1, () -> wrapsToOneAhead)).isNull();
        assertThat(open.decide(true, THREE, 1, () -> (1L << 61) / 3 + 1)).isNull();
        assertThat(open.decide(true, THREE, 1, () -> (1L << 61) / 3)).isInstanceOf(Allowed.class);

        Usage full = charged(THREE, 1, NOW);
        full.look(THREE, NOW);
        full.giveBack(1);
        assertThat(opened(full).decide(true, THREE, 1, () -> -(1L << 61) / 3 - 1))
                .isNull();
        assertThat(opened(full).decide(true, THREE, 1, () -> -(1L << 61) / 3)).isInstanceOf(Allowed.class);
    }

    @Test
    void aClockOfAsManyTicksAsFitIsNot() {
        Limit one = bucket().permits(1).build();
        assertThat(opened(one).decide(true, one, 1, () -> (1L << 61) + 1)).isNull();
        assertThat(opened(one).decide(true, one, 1, () -> 1L << 61)).isInstanceOf(Allowed.class);

        Usage full = charged(one, 1, NOW);
        full.look(one, NOW);
        full.giveBack(1);
        assertThat(opened(full).decide(true, one, 1, () -> -(1L << 61) - 1)).isNull();
        assertThat(opened(full).decide(true, one, 1, () -> -(1L << 61))).isInstanceOf(Allowed.class);
    }

    /** While the clock is read, somebody else is granted what there is. */
    @Test
    void goesOnFromWhatOthersWereGrantedMeanwhile() {
        OpenBucket open = opened(THREE);
        Decision decision = open.decide(true, THREE, 1, () -> {
            assertThat(open.decide(true, THREE, 1, () -> NOW + 10)).isInstanceOf(Allowed.class);
            return NOW;
        });

        assertThat(decision).isEqualTo(new Allowed(THREE, 0, 1_000_000, 0));
    }

    /** A denial is of an instant at which there was nothing left, not of one before others came. */
    @Test
    void deniesByWhatIsThereAfterTheClockWasRead() {
        OpenBucket open = opened(charged(THREE, 3, NOW));
        AtomicInteger readings = new AtomicInteger();
        Decision decision = open.decide(true, THREE, 1, () -> {
            int reading = readings.incrementAndGet();
            if (reading == 1) {
                assertThat(open.decide(true, THREE, 3, () -> NOW + 1_000_000)).isInstanceOf(Allowed.class);
            }
            return reading == 1 ? NOW + 500 : NOW + 1_000_000; // before the second the thread was kept waiting
        });

        assertThat(decision).isNull();
        assertThat(readings).as("more is missing than ever can at that instant").hasValue(1);
    }

    @Test
    void deniesAnewWhatWasDeniedByWhatOthersHaveChangedMeanwhile() {
        OpenBucket open = opened(charged(THREE, 2, NOW));
        AtomicInteger readings = new AtomicInteger();
        Decision decision = open.decide(true, THREE, 1, () -> {
            int reading = readings.incrementAndGet();
            if (reading == 1) {
                assertThat(open.decide(true, THREE, 1, () -> NOW)).isInstanceOf(Allowed.class);
            }
            return reading == 1 ? NOW : NOW + 100_000;
        });

        assertThat(decision).isEqualTo(new Denied(THREE, DenialReason.PERMITS_SPENT, 0, 900_000, 233_334));
        assertThat(readings).as("one more, since the number was another").hasValue(2);
    }

    @Test
    void deniesWithOneReadingOfTheClockWhereNobodyElseComes() {
        OpenBucket open = opened(charged(THREE, 3, NOW));
        AtomicInteger readings = new AtomicInteger();

        assertThat(open.decide(true, THREE, 1, () -> NOW + readings.incrementAndGet()))
                .isEqualTo(new Denied(THREE, DenialReason.PERMITS_SPENT, 0, 999_999, 333_333));
        assertThat(readings).hasValue(1);
    }

    @Test
    void grantsWhatHasComeBackSinceTheClockWasRead() {
        OpenBucket open = opened(charged(THREE, 2, NOW));
        AtomicInteger readings = new AtomicInteger();

        Decision decision = open.decide(true, THREE, 1, () -> {
            if (readings.incrementAndGet() == 1) {
                assertThat(open.decide(true, THREE, 1, () -> NOW)).isInstanceOf(Allowed.class);
                return NOW;
            }
            return NOW + 400_000;
        });
        assertThat(decision).isEqualTo(new Allowed(THREE, 0, 933_334, 0));
    }

    @Test
    void isTheSameBucketAsLongAsTheLimitIs() {
        Usage usage = charged(THREE, 1, NOW);
        OpenBucket open = opened(usage);
        open.closeInto(usage);
        assertThat(open.isOpen()).isFalse();
        assertThat(OpenBucket.leftOpen(open, usage)).isSameAs(open);
        assertThat(open.decide(true, THREE, 1, () -> NOW)).isEqualTo(new Allowed(THREE, 1, 666_667, 0));

        open.closeInto(usage);
        Limit five = bucket().burst(5L).build();
        usage.look(five, NOW);
        usage.charge(1, 0);
        usage.keep();
        OpenBucket other = Objects.requireNonNull(OpenBucket.leftOpen(open, usage));
        assertThat(other).isNotSameAs(open);
        assertThat(open.isOpen()).as("whoever has it at hand finds it closed").isFalse();
        assertThat(other.decide(true, THREE, 1, () -> NOW)).isNull();
        assertThat(other.decide(true, five, 1, () -> NOW)).isEqualTo(new Allowed(five, 0, 1_333_334, 0));
    }

    @Test
    void answersAsUnderTheLock() {
        SplittableRandom random = new SplittableRandom(20_261_119);
        for (int history = 0; history < 2_000; history++) {
            Limit limit = Limit.named("any")
                    .permits(1 + random.nextLong(50))
                    .burst(1 + random.nextLong(60))
                    .period(Duration.ofMillis(1 + random.nextLong(3_000)))
                    .build();
            long now = NOW + random.nextLong(1_000);
            Usage locked = charged(limit, 1, now);
            Usage other = charged(limit, 1, now);
            OpenBucket open = opened(other);
            for (int step = 0; step < 60; step++) {
                now += random.nextInt(4) == 0 ? random.nextLong(2 * limit.periodMicros()) - 200L : random.nextLong(3);
                long cost = 1 + random.nextLong(random.nextInt(5) == 0 ? 70 : 3);
                long at = now;
                Decision decision = open.decide(true, limit, cost, () -> at);
                locked.look(limit, now);
                Decision expected = locked.grants(cost, 0) ? locked.charge(cost, 0) : locked.deny(cost, 0);
                locked.keep();
                if (decision == null || random.nextInt(10) == 0) {
                    open.closeInto(other);
                    other.look(limit, now);
                    if (decision == null) {
                        decision = other.grants(cost, 0) ? other.charge(cost, 0) : other.deny(cost, 0);
                        other.keep();
                    }
                    open = opened(other);
                }
                assertThat(decision)
                        .as("%s, history %d, step %d", limit, history, step)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aGuessSavesReadingTheClockAgainForADenial() {
        OpenBucket open = opened(THREE);
        AtomicInteger readings = new AtomicInteger();
        LongSupplier clock = () -> {
            readings.incrementAndGet();
            return NOW;
        };
        assertThat(open.decide(false, THREE, 2, clock)).isInstanceOf(Allowed.class);
        assertThat(readings.getAndSet(0)).as("granted").isEqualTo(1);

        Decision unguessed = open.decide(false, THREE, 2, clock);
        assertThat(unguessed).isInstanceOf(Denied.class);
        assertThat(readings.getAndSet(0)).as("denied").isEqualTo(2);
        assertThat(open.decide(true, THREE, 2, clock)).isEqualTo(unguessed);
        assertThat(readings.get()).as("denied, as guessed").isEqualTo(1);
    }
}
