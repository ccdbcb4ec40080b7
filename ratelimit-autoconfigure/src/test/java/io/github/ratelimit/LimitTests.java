/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTests {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(31);

    private static LimitBuilder orders(Algorithm algorithm) {
        return Limit.named("orders").algorithm(algorithm).permits(100).period(SECOND);
    }

    private static void refuses(LimitBuilder limit, String message) {
        assertThatExceptionOfType(InvalidLimitException.class)
                .isThrownBy(limit::build)
                .withMessage(message);
    }

    @Test
    void hasDefaults() {
        Limit limit = Limit.named("orders").permits(100).build();

        assertThat(limit.name()).isEqualTo("orders");
        assertThat(limit.algorithm()).isEqualTo(Algorithm.TOKEN_BUCKET);
        assertThat(limit.period()).isEqualTo(Duration.ofMinutes(1));
        assertThat(limit.burst()).isEqualTo(100);
        assertThat(limit.refill()).isEqualTo(Refill.GREEDY);
        assertThat(limit.anchor()).isEqualTo(Anchor.CLOCK);
        assertThat(limit.slots()).isEqualTo(10);
        assertThat(limit.strict()).isTrue();
        assertThat(limit.paced()).isFalse();
        assertThat(limit.penalty()).isZero();
        assertThat(limit.shadow()).isFalse();
        assertThat(limit.digestKeys()).isFalse();
        assertThat(limit.perInstance()).isFalse();
        assertThat(limit.onStoreFailure()).isEqualTo(FailurePolicy.LOCAL);
        assertThat(limit.maxWait()).isNull();
        assertThat(limit.plan()).isNull();
    }

    @Test
    void leakyBucketIsPacedUnlessStated() {
        assertThat(orders(Algorithm.LEAKY_BUCKET).build().paced()).isTrue();
        assertThat(orders(Algorithm.LEAKY_BUCKET).pace(true).build().paced()).isTrue();
        assertThat(orders(Algorithm.LEAKY_BUCKET).pace(false).build().paced()).isFalse();
    }

    @Test
    void saysWhatWasStated() {
        Limit limit = orders(Algorithm.SLIDING_WINDOW_COUNTER)
                .slots(4)
                .strict(false)
                .penalty(Duration.ofSeconds(30))
                .maxWait(Duration.ofSeconds(2))
                .shadow(true)
                .digestKeys(true)
                .perInstance(true)
                .onStoreFailure(FailurePolicy.DENY)
                .plan("gold")
                .build();

        assertThat(limit.slots()).isEqualTo(4);
        assertThat(limit.slotMicros()).isEqualTo(250_000);
        assertThat(limit.periodMicros()).isEqualTo(1_000_000);
        assertThat(limit.strict()).isFalse();
        assertThat(limit.penalty()).isEqualTo(Duration.ofSeconds(30));
        assertThat(limit.maxWait()).isEqualTo(Duration.ofSeconds(2));
        assertThat(limit.shadow()).isTrue();
        assertThat(limit.digestKeys()).isTrue();
        assertThat(limit.perInstance()).isTrue();
        assertThat(limit.onStoreFailure()).isEqualTo(FailurePolicy.DENY);
        assertThat(limit.plan()).isEqualTo("gold");
        assertThat(limit).hasToString("orders: 100 per PT1S by SLIDING_WINDOW_COUNTER");
    }

    @ParameterizedTest
    @CsvSource({"3, 1000, 1000000, 3", "7, 10000, 10000000, 7", "700000, 1000, 10, 7", "1, 2678400000, 2678400000000, 1"
    })
    void reducesThePermitToTicks(long permits, long millis, long ticksPerPermit, long ticksPerMicro) {
        Limit limit = Limit.named("orders")
                .permits(permits)
                .burst(5L)
                .period(Duration.ofMillis(millis))
                .build();

        assertThat(limit.ticksPerPermit()).isEqualTo(ticksPerPermit);
        assertThat(limit.ticksPerMicro()).isEqualTo(ticksPerMicro);
        assertThat(limit.ticksWhenSpent()).isEqualTo(5 * ticksPerPermit);
    }

    @Test
    void marksItsNumbers() {
        Limit limit = orders(Algorithm.TOKEN_BUCKET).build();

        assertThat(limit.fingerprint())
                .isBetween(0, 996)
                .isEqualTo(limit.with().shadow(true).build().fingerprint())
                .isNotEqualTo(limit.with().permits(101).burst(100L).build().fingerprint())
                .isNotEqualTo(limit.with().burst(101L).build().fingerprint())
                .isNotEqualTo(
                        limit.with().period(Duration.ofMillis(1_001)).build().fingerprint());
    }

    @Test
    void isEqualToWhatSaysTheSame() {
        Limit limit = orders(Algorithm.TOKEN_BUCKET).build();
        assertThat(limit)
                .isEqualTo(limit.with().build())
                .hasSameHashCodeAs(limit.with().build());
        assertThat(limit).isEqualTo(limit.with().burst(100L).build()).isNotEqualTo(null);

        assertThat(changes().map(change -> change.apply(limit.with()).build())).doesNotContain(limit);
        assertThat(limit)
                .isNotEqualTo(Limit.named("mails").permits(100).period(SECOND).build());
        Limit window = orders(Algorithm.FIXED_WINDOW).build();
        assertThat(window).isNotEqualTo(window.with().anchor(Anchor.FIRST_CALL).build());
        Limit counter = orders(Algorithm.SLIDING_WINDOW_COUNTER).build();
        assertThat(counter).isNotEqualTo(counter.with().slots(5).build());
        assertThat(counter).isNotEqualTo(counter.with().strict(false).build());
        Limit leaky = orders(Algorithm.LEAKY_BUCKET).build();
        assertThat(leaky).isNotEqualTo(leaky.with().pace(false).build());
    }

    private static Stream<UnaryOperator<LimitBuilder>> changes() {
        return Stream.of(
                limit -> limit.permits(101),
                limit -> limit.period(Duration.ofSeconds(2)),
                limit -> limit.burst(101L),
                limit -> limit.algorithm(Algorithm.FIXED_WINDOW),
                limit -> limit.refill(Refill.INTERVAL),
                limit -> limit.maxWait(SECOND),
                limit -> limit.penalty(SECOND),
                limit -> limit.shadow(true),
                limit -> limit.digestKeys(true),
                limit -> limit.perInstance(true),
                limit -> limit.onStoreFailure(FailurePolicy.ALLOW),
                limit -> limit.plan("gold"));
    }

    @ParameterizedTest
    @EnumSource
    void acceptsUpToAMillionWithAnyPeriod(Kind kind) {
        for (Duration period : new Duration[] {Duration.ofMillis(1), Duration.ofMillis(86_400_001), LONGEST}) {
            for (long permits : new long[] {1, 999_983, 1_000_000}) {
                LimitBuilder limit = kind.named("orders").permits(permits).period(period);
                assertThat(limit.build().permits()).isEqualTo(permits);
                if (kind.isBucket()) {
                    assertThat(limit.burst(1_000_000L).build().burst()).isEqualTo(1_000_000);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {
                "FIXED_WINDOW",
                "FIXED_WINDOW_FIRST_CALL",
                "SLIDING_WINDOW_LOG",
                "SLIDING_WINDOW_COUNTER",
                "SLIDING_WINDOW_COUNTER_WEIGHTED"
            })
    void refusesMoreThanAMillionOnWindows(Kind kind) {
        for (long permits : new long[] {1_000_001, 1_500_000, 5_000_000_000L, Long.MAX_VALUE}) {
            refuses(
                    kind.named("orders").permits(permits).period(SECOND),
                    "Limit 'orders': permits = " + permits + " is more than can be counted exactly."
                            + " The nearest accepted number is 1000000.");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void refusesLessThanOne(long number) {
        refuses(
                orders(Algorithm.FIXED_WINDOW).permits(number),
                "Limit 'orders': permits = " + number + " allows nothing. The nearest accepted number is 1.");
        refuses(
                orders(Algorithm.TOKEN_BUCKET).permits(number),
                "Limit 'orders': permits = " + number + " allows nothing. The nearest accepted number is 1.");
        refuses(
                orders(Algorithm.TOKEN_BUCKET).burst(number),
                "Limit 'orders': burst = " + number + " allows nothing. The nearest accepted number is 1.");
    }

    /** The nearest number's neighbours on the refused one's side are refused, up to the refused one. */
    @ParameterizedTest
    @CsvSource({
        // a billion per 30 days is exact: 2,592 microseconds; the next one down takes 2.59 * 10^12 ticks
        "1000000001, 2592000000, 1000000000",
        "999999999, 2592000000, 1000000000",
        "1000000003, 2678400000, 1000000000",
        "1000001, 2678400000, 1000000",
        "5000000000, 1, 1000000000",
        // a period with a large prime factor: multiples of 500 or 1,000 up to 3,362,000, and nothing beyond
        "900000000, 2678399959, 3362000",
        "1234567, 2678399959, 1234500",
        "1234999, 2678399959, 1235000"
    })
    void namesTheNearestAcceptedPermits(long permits, long millis, long nearest) {
        LimitBuilder limit = Limit.named("orders").period(Duration.ofMillis(millis));

        refuses(
                limit.permits(permits),
                "Limit 'orders': permits = " + permits
                        + " is more than can be counted exactly. The nearest accepted number is " + nearest + ".");
        assertThat(limit.permits(nearest).build().permits()).isEqualTo(nearest);
        long step = permits > nearest ? 1 : -1;
        for (long between = nearest + step; between != permits && Math.abs(between - nearest) < 300; between += step) {
            long number = between;
            assertThatExceptionOfType(InvalidLimitException.class)
                    .isThrownBy(() -> limit.permits(number).build());
        }
    }

    @Test
    void namesTheSmallerOfTwoEquallyNearPermits() {
        refuses(
                Limit.named("orders").period(Duration.ofMillis(2_678_399_959L)).permits(1_234_750),
                "Limit 'orders': permits = 1234750 is more than can be counted exactly."
                        + " The nearest accepted number is 1234500.");
    }

    @ParameterizedTest
    @CsvSource({
        // a million and fewer permits: the burst may be a million, whatever the period
        "1, 2678400000, 2000000, 1000000",
        "1000000, 2678400000, 1000000001, 1000000000",
        "1, 1000, 9007199255, 1000000000",
        // a permit takes 1,800,000,000 ticks of 1 / 2,000,003 microseconds
        "2000003, 1800000, 9000000, 5003999",
        "1000, 2678400000, 3363000, 3362902"
    })
    void namesTheLargestAcceptedBurst(long permits, long millis, long burst, long nearest) {
        LimitBuilder limit = Limit.named("orders").permits(permits).period(Duration.ofMillis(millis));

        refuses(
                limit.burst(burst),
                "Limit 'orders': burst = " + burst
                        + " is more than can be counted exactly. The nearest accepted number is " + nearest + ".");
        assertThat(limit.burst(nearest).build().burst()).isEqualTo(nearest);
        assertThatExceptionOfType(InvalidLimitException.class)
                .isThrownBy(() -> limit.burst(nearest + 1).build());
    }

    @Test
    void refusesALongLogUnlessItIsWanted() {
        LimitBuilder log = orders(Algorithm.SLIDING_WINDOW_LOG);
        assertThat(log.permits(10_000).build().permits()).isEqualTo(10_000);
        String message =
                "Limit 'orders': permits = 10001 is a lot to remember one by one. The nearest accepted number is"
                        + " 10000; set large-log: true to allow more, or use sliding-window-counter.";

        refuses(log.permits(10_001), message);
        refuses(log.largeLog(false), message);
        assertThat(log.largeLog(true).build().permits()).isEqualTo(10_001);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s, 1ms",
        "PT-5S, -5s, 1ms",
        "PT0.0005S, PT0.0005S, 1ms",
        "PT1.0005S, PT1.0005S, 1s",
        "PT744H0.001S, 2678400001ms, 31d",
        "PT2000000000000000H, 2000000000000000h, 31d"
    })
    void refusesOtherPeriods(Duration period, String shown, String nearest) {
        refuses(
                orders(Algorithm.FIXED_WINDOW).period(period),
                "Limit 'orders': period = " + shown + " is not a whole number of milliseconds from 1ms to 31d."
                        + " The nearest accepted duration is " + nearest + ".");
    }

    @Test
    void refusesOtherPenaltiesAndWaits() {
        assertThat(orders(Algorithm.FIXED_WINDOW).penalty(LONGEST).build().penalty())
                .isEqualTo(LONGEST);
        refuses(
                orders(Algorithm.FIXED_WINDOW).penalty(LONGEST.plusMillis(1)),
                "Limit 'orders': penalty = 2678400001ms is not a whole number of milliseconds from 0s to 31d."
                        + " The nearest accepted duration is 31d.");
        refuses(
                orders(Algorithm.FIXED_WINDOW).penalty(Duration.ofMillis(-1)),
                "Limit 'orders': penalty = -1ms is not a whole number of milliseconds from 0s to 31d."
                        + " The nearest accepted duration is 0s.");
        assertThat(orders(Algorithm.FIXED_WINDOW).maxWait(Duration.ZERO).build().maxWait())
                .isZero();
        refuses(
                orders(Algorithm.FIXED_WINDOW).maxWait(Duration.ofMinutes(61)),
                "Limit 'orders': max-wait = 61m is not a whole number of milliseconds from 0s to 1h."
                        + " The nearest accepted duration is 1h.");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1000, 1",
        "-7, 1000, 1",
        "3, 1000, 2",
        "7, 1000, 8",
        "6, 1, 5",
        "999, 1000, 1000",
        "9999, 1000, 10000"
    })
    void refusesSlotsThatDoNotDivideThePeriod(int slots, long millis, int nearest) {
        LimitBuilder limit = orders(Algorithm.SLIDING_WINDOW_COUNTER)
                .period(Duration.ofMillis(millis))
                .slots(slots);

        refuses(
                limit,
                "Limit 'orders': slots = " + slots + " does not divide the period into whole microseconds."
                        + " The nearest accepted number is " + nearest + ".");
        assertThat(limit.slots(nearest).build().slotMicros()).isEqualTo(millis * 1_000 / nearest);
    }

    @Test
    void takesASlotForEveryMinuteOfADayButNotForEverySecond() {
        LimitBuilder limit = orders(Algorithm.SLIDING_WINDOW_COUNTER).period(Duration.ofDays(1));

        assertThat(limit.slots(1_440).build().slotMicros()).isEqualTo(60_000_000);
        refuses(
                limit.slots(86_400),
                "Limit 'orders': slots = 86400 is more than 10000 counts to look at in every decision."
                        + " The nearest accepted number is 10000.");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE})
    void refusesTheLongestDurationsThereAre(long seconds) {
        Duration period = Duration.ofSeconds(seconds);

        refuses(
                orders(Algorithm.FIXED_WINDOW).period(period),
                "Limit 'orders': period = " + period
                        + " is not a whole number of milliseconds from 1ms to 31d."
                        + " The nearest accepted duration is " + (seconds < 0 ? "1ms." : "31d."));
    }

    @Test
    void refusesOptionsThatTheAlgorithmDoesNotHave() {
        refuses(
                orders(Algorithm.FIXED_WINDOW).burst(5L),
                "Limit 'orders': burst = 5 is an option that fixed-window does not have."
                        + " Remove it, or choose another algorithm: it belongs to buckets.");
        refuses(
                orders(Algorithm.LEAKY_BUCKET).refill(Refill.GREEDY),
                "Limit 'orders': refill = GREEDY is an option that leaky-bucket does not have."
                        + " Remove it, or choose another algorithm: it belongs to token-bucket.");
        refuses(
                orders(Algorithm.TOKEN_BUCKET).anchor(Anchor.CLOCK),
                "Limit 'orders': anchor = CLOCK is an option that token-bucket does not have."
                        + " Remove it, or choose another algorithm: it belongs to fixed-window.");
        refuses(
                orders(Algorithm.SLIDING_WINDOW_LOG).slots(2),
                "Limit 'orders': slots = 2 is an option that sliding-window-log does not have."
                        + " Remove it, or choose another algorithm: it belongs to sliding-window-counter.");
        refuses(
                orders(Algorithm.TOKEN_BUCKET).strict(true),
                "Limit 'orders': strict = true is an option that token-bucket does not have."
                        + " Remove it, or choose another algorithm: it belongs to sliding-window-counter.");
        refuses(
                orders(Algorithm.TOKEN_BUCKET).pace(true),
                "Limit 'orders': pace = true is an option that token-bucket does not have."
                        + " Remove it, or choose another algorithm: it belongs to leaky-bucket.");
        refuses(
                orders(Algorithm.SLIDING_WINDOW_COUNTER).largeLog(true),
                "Limit 'orders': large-log = true is an option that sliding-window-counter does not have."
                        + " Remove it, or choose another algorithm: it belongs to sliding-window-log.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", ".a", "-a", "ä", "a:b", "a{b}"})
    void refusesOtherNames(String name) {
        refuses(
                Limit.named(name).permits(1),
                "Limit '" + name + "': name = '" + name + "' is not a name."
                        + " Use up to 100 letters, digits, '.', '_' and '-', a letter or digit first.");
    }

    @Test
    void shortensALongName() {
        String longest = "a".repeat(100);
        assertThat(Limit.named(longest).permits(1).build().name()).isEqualTo(longest);

        refuses(
                Limit.named(longest + "b").permits(1),
                "Limit '" + longest + "…': name = '" + longest + "…' is not a name."
                        + " Use up to 100 letters, digits, '.', '_' and '-', a letter or digit first.");
    }
}
