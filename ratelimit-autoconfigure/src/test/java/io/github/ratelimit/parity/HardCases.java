/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.parity;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.parity.Step.Op;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Mixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Short histories that chance meets too seldom: where a rounding or a boundary decides. */
final class HardCases {

    private static final long T0 = 20_370L * 86_400_000_000L;
    private static final long HOUR = 3_600_000_000L;
    private static final long MILLION = 1_000_000;

    private final List<Step> steps = new ArrayList<>();

    private HardCases() {}

    /** All of them. */
    static List<List<Step>> all() {
        List<List<Step>> all = new ArrayList<>(List.of(
                cancelledAroundAFractionOfAMicrosecond(),
                freeAtAQuotientThatDoublesMiss(),
                asManyAsThereAreWhereDoublesSayLess(),
                asManyAsThereAreWhereDoublesSayMore(),
                differentNumbersWithOneFingerprint(),
                ticksBeyondTheExactNumbers(),
                believableBeyondTheExactNumbers(),
                chargedByOthersWhenFull(),
                givenBackWhereOthersAreFull(),
                cutLongAfterOthersHaveCome(),
                cancelledByOtherNumbers(),
                givenUpAroundWhatTimeHasRepaid(),
                givenUpBesideOthers(),
                givenUpATickBeside(),
                cutByACostOfZero(),
                oneMarkForADayAndAnHour(),
                slackOfOthersWithOneMark(),
                anHourThatOthersMovedAndCut(),
                fractionAtTheEndOfASecond(),
                aLogThatGetsLargeNumbers(),
                aLogWhoseTotalsGoAround()));
        for (Kind kind : Kind.values()) {
            all.add(barelyBelievable(kind));
            all.add(lockBarelyBelievable(kind));
            all.add(cancelledAroundTheEnd(kind));
            if (kind.isBucket()) {
                all.add(mixtures(kind));
            }
        }
        return all;
    }

    /** A third of a microsecond after 333,333: in time at 333,334, too late one later. */
    private static List<Step> cancelledAroundAFractionOfAMicrosecond() {
        HardCases made = new HardCases();
        Limit limit = Kind.TOKEN_BUCKET
                .named("hard")
                .permits(3)
                .period(Duration.ofSeconds(1))
                .burst(1L)
                .build();
        for (long when = 333_332; when <= 333_336; when++) {
            String key = "k" + when;
            made.add(T0, Op.ACQUIRE, limit, key, 1);
            made.steps.add(new Step(T0, Op.RESERVE, List.of(new Charge(limit, key, 1, HOUR)), 0));
            made.steps.add(new Step(T0 + when, Op.CANCEL, List.of(), made.steps.size() - 1L));
            made.add(T0 + when, Op.PEEK, limit, key, 1);
        }
        return made.steps;
    }

    /** 26,919 of 997,000 of the period is a whole number of microseconds that a product in doubles falls short of. */
    private static List<Step> freeAtAQuotientThatDoublesMiss() {
        HardCases made = new HardCases();
        Limit limit = Kind.SLIDING_WINDOW_COUNTER_WEIGHTED
                .named("hard")
                .permits(997_000)
                .period(Duration.ofMillis(2_678_399_999L))
                .slots(1)
                .build();
        long slot = T0 / limit.periodMicros() * limit.periodMicros();
        made.add(slot, Op.ACQUIRE, limit, "k", 997_000);
        made.add(slot + limit.periodMicros(), Op.ACQUIRE, limit, "k", 997_000 - 26_919);
        return made.steps;
    }

    private static List<Step> asManyAsThereAreWhereDoublesSayLess() {
        HardCases made = new HardCases();
        Limit limit = Kind.TOKEN_BUCKET
                .named("hard")
                .permits(7)
                .period(Duration.ofSeconds(1))
                .burst(MILLION)
                .build();
        for (long spent = 990; spent <= 1_000; spent++) {
            made.add(T0, Op.ACQUIRE, limit, "k" + spent, spent);
            made.add(T0, Op.UP_TO, limit, "k" + spent, MILLION);
        }
        return made.steps;
    }

    /** One tick is missing to the 647,732nd permit. */
    private static List<Step> asManyAsThereAreWhereDoublesSayMore() {
        HardCases made = new HardCases();
        Limit limit = Kind.TOKEN_BUCKET
                .named("hard")
                .permits(999_983)
                .period(Duration.ofDays(31))
                .burst(MILLION)
                .build();
        made.add(T0, Op.ACQUIRE, limit, "k", MILLION);
        made.add(T0 + 1_734_914_882_353L, Op.UP_TO, limit, "k", MILLION);
        return made.steps;
    }

    /** Both are marked 789; the fraction of the one is more than a microsecond of the other. */
    private static List<Step> differentNumbersWithOneFingerprint() {
        HardCases made = new HardCases();
        Limit one = Kind.TOKEN_BUCKET
                .named("hard")
                .permits(237)
                .period(Duration.ofMillis(10))
                .burst(53_696L)
                .build();
        Limit other = Kind.TOKEN_BUCKET
                .named("hard")
                .permits(MILLION)
                .period(Duration.ofDays(1))
                .burst(MILLION)
                .build();
        made.add(T0, Op.ACQUIRE, one, "k", 14_015);
        made.add(T0, Op.PEEK, other, "k", 1);
        made.add(T0, Op.ACQUIRE, other, "k", 1);
        made.add(T0, Op.PEEK, one, "k", 1);
        return made.steps;
    }

    private static List<Step> ticksBeyondTheExactNumbers() {
        HardCases made = new HardCases();
        Limit limit = Kind.TOKEN_BUCKET_INTERVAL
                .named("hard")
                .permits(1)
                .period(Duration.ofMillis(2_678_399_999L))
                .burst(MILLION)
                .build();
        for (long spent = 3_361; spent <= MILLION; spent = spent * 11 / 10) {
            made.add(T0, Op.ACQUIRE, limit, "k" + spent, spent);
            made.add(T0, Op.PEEK, limit, "k" + spent, MILLION);
            made.add(T0 + 1, Op.PEEK, limit, "k" + spent, 1);
        }
        return made.steps;
    }

    private static List<Step> believableBeyondTheExactNumbers() {
        HardCases made = new HardCases();
        Limit limit = Kind.TOKEN_BUCKET_INTERVAL
                .named("hard")
                .permits(1)
                .period(Duration.ofDays(31))
                .burst(MILLION)
                .build();
        long tick = T0 - T0 % limit.periodMicros();
        made.add(T0, Op.ACQUIRE, limit, "k", MILLION);
        for (long off = 1; off >= -1; off--) {
            made.add(tick - HOUR + off, Op.PEEK, limit, "k", 1);
        }
        return made.steps;
    }

    /** The ones with the shorter time to fill have got everything back when the others take half a tick of theirs. */
    private static List<Step> chargedByOthersWhenFull() {
        HardCases made = new HardCases();
        Limit slow = Kind.TOKEN_BUCKET_INTERVAL
                .named("hard")
                .permits(100)
                .period(Duration.ofSeconds(10))
                .burst(1_000L)
                .build();
        Limit quick = slow.with().period(Duration.ofSeconds(1)).burst(100L).build();
        made.add(T0, Op.ACQUIRE, slow, "k", 1_000);
        made.add(T0, Op.ACQUIRE, quick, "k", 1);
        made.add(T0 + MILLION, Op.ACQUIRE, quick, "k", 30);
        made.add(T0 + 20 * MILLION, Op.ACQUIRE, slow, "k", 5);
        made.add(T0 + 20 * MILLION, Op.PEEK, quick, "k", 1);
        return made.steps;
    }

    /** The clock steps back to where they were not. */
    private static List<Step> givenBackWhereOthersAreFull() {
        HardCases made = new HardCases();
        Limit slow = slow().with().burst(10L).build();
        Limit quick = slow.with().period(Duration.ofSeconds(1)).burst(2L).build();
        made.add(T0, Op.ACQUIRE, slow, "k", 5);
        made.add(T0, Op.ACQUIRE, quick, "k", 1);
        made.add(T0 + 3 * MILLION, Op.REFUND, slow, "k", 1);
        made.add(T0 + MILLION, Op.PEEK, quick, "k", 1);
        return made.steps;
    }

    /** What these numbers see is moved beyond their bucket by others; from then on it counts for a day. */
    private static List<Step> cutLongAfterOthersHaveCome() {
        HardCases made = new HardCases();
        Limit many = slow().with().burst(100L).build();
        Limit few = many.with().burst(20L).build();
        made.add(T0, Op.ACQUIRE, many, "k", 100);
        made.add(T0, Op.ACQUIRE, few, "k", 1);
        made.steps.add(new Step(T0 + 12 * HOUR, Op.ACQUIRE, List.of(new Charge(few, "k", 13, HOUR)), 0));
        made.add(T0 + 12 * HOUR, Op.ACQUIRE, many, "k", 1);
        made.add(T0 + 30 * HOUR, Op.PEEK, many.with().burst(200L).build(), "k", 1);
        return made.steps;
    }

    /** What was reserved after it is no whole number of its permits. */
    private static List<Step> cancelledByOtherNumbers() {
        HardCases made = new HardCases();
        for (Kind kind : List.of(Kind.TOKEN_BUCKET, Kind.LEAKY_BUCKET)) {
            Limit limit = kind.named("hard")
                    .permits(1)
                    .period(Duration.ofSeconds(1))
                    .burst(20L)
                    .build();
            Limit other = limit.with().permits(2).period(Duration.ofSeconds(3)).build();
            made.add(T0, Op.ACQUIRE, limit, "k" + kind, 7);
            made.steps.add(new Step(T0, Op.RESERVE, List.of(new Charge(limit, "k" + kind, 2, HOUR)), 0));
            long reservation = made.steps.size() - 1L;
            made.steps.add(new Step(T0, Op.RESERVE, List.of(new Charge(other, "k" + kind, 1, HOUR)), 0));
            made.steps.add(new Step(T0, Op.CANCEL, List.of(), reservation));
            made.add(T0, Op.PEEK, limit, "k" + kind, 1);
        }
        return made.steps;
    }

    /** Two of three a second, of a third of a microsecond each, in a call that another limit makes wait. */
    private static List<Step> givenUpAroundWhatTimeHasRepaid() {
        HardCases made = new HardCases();
        Limit slow = slow();
        for (Kind kind : List.of(Kind.TOKEN_BUCKET, Kind.TOKEN_BUCKET_INTERVAL)) {
            Limit limit = kind.named("hard")
                    .permits(3)
                    .period(Duration.ofSeconds(1))
                    .burst(5L)
                    .build();
            for (long when : List.of(-MILLION, 0L, 1L, 333_333L, 333_334L, 666_666L, 666_667L, 999_999L, MILLION)) {
                String key = kind + "/" + when;
                made.add(T0, Op.ACQUIRE, slow, key, 1);
                made.steps.add(new Step(
                        T0, Op.RESERVE, List.of(new Charge(limit, key, 2, 0), new Charge(slow, key, 1, HOUR)), 0));
                made.steps.add(new Step(T0 + when, Op.GIVE_UP, List.of(), made.steps.size() - 1L));
                made.add(T0 + when, Op.PEEK, limit, key, 4);
            }
        }
        return made.steps;
    }

    /** Of a call that waits and of one that does not: behind others, before others, with other numbers, when others wait. */
    private static List<Step> givenUpBesideOthers() {
        HardCases made = new HardCases();
        Limit slow = slow();
        for (Kind kind : List.of(Kind.TOKEN_BUCKET, Kind.TOKEN_BUCKET_INTERVAL)) {
            Limit limit = kind.named("hard")
                    .permits(3)
                    .period(Duration.ofSeconds(1))
                    .burst(12L)
                    .build();
            Limit other = limit.with().permits(2).burst(4L).build();
            for (int way = 0; way < 4; way++) {
                int waits = way % 2;
                for (long after : List.of(0L, 1L, 2L, 9L, 13L)) {
                    for (long when : List.of(1L, MILLION - 1, MILLION, 3 * MILLION / 2, 7 * MILLION / 3)) {
                        String key = kind + "/" + way + "/" + after + "/" + when;
                        made.add(T0, Op.ACQUIRE, slow, key, waits);
                        made.add(T0, Op.ACQUIRE, limit, key, way < 2 ? 2 : 5);
                        made.steps.add(new Step(
                                T0,
                                Op.RESERVE,
                                List.of(new Charge(limit, key, 4, 0), new Charge(slow, key, waits, HOUR)),
                                0));
                        long reservation = made.steps.size() - 1L;
                        Limit next = after == 2 ? other : limit;
                        for (long left = after; left > 0; left -= 4) {
                            made.steps.add(new Step(
                                    T0, Op.RESERVE, List.of(new Charge(next, key, Math.min(4, left), HOUR)), 0));
                        }
                        made.steps.add(new Step(T0 + when, Op.GIVE_UP, List.of(), reservation));
                        made.add(T0 + when, Op.PEEK, limit, key, 4);
                        made.add(T0 + when, Op.PEEK, other, key, 4);
                    }
                }
            }
        }
        return made.steps;
    }

    /** Whoever comes since takes a seventh of a microsecond. */
    private static List<Step> givenUpATickBeside() {
        HardCases made = new HardCases();
        Limit limit = Kind.TOKEN_BUCKET
                .named("hard")
                .permits(7_000)
                .period(Duration.ofMillis(1))
                .build();
        for (long others = 0; others < 3; others++) {
            Limit slow = slow();
            String key = "k" + others;
            made.add(T0, Op.ACQUIRE, slow, key, 1);
            made.steps.add(new Step(
                    T0, Op.RESERVE, List.of(new Charge(limit, key, 701, 0), new Charge(slow, key, 1, HOUR)), 0));
            made.add(T0, Op.ACQUIRE, limit, key, others);
            made.steps.add(new Step(T0 + 10, Op.GIVE_UP, List.of(), made.steps.size() - 2L));
            made.add(T0 + 10, Op.PEEK, limit, key, 7_000);
        }
        return made.steps;
    }

    /** Who calls it next waits for an hour. */
    private static Limit slow() {
        return Kind.TOKEN_BUCKET
                .named("slow")
                .permits(1)
                .period(Duration.ofHours(1))
                .build();
    }

    /** What the one cannot explain may be the other's. */
    private static List<Step> oneMarkForADayAndAnHour() {
        HardCases made = new HardCases();
        for (Kind kind : List.of(Kind.TOKEN_BUCKET, Kind.TOKEN_BUCKET_INTERVAL)) {
            Limit day = bucket(kind, 20, Duration.ofDays(1), 20);
            Limit hour = bucket(kind, 2_000, Duration.ofHours(1), 2_000);
            Limit third = bucket(kind, 3, Duration.ofSeconds(1), 7);
            for (int turn = 0; turn < 4; turn++) {
                long now = T0 + turn * HOUR / 3;
                for (Limit limit : List.of(day, hour, third, hour, day, third)) {
                    made.add(now, Op.PEEK, limit, "k" + kind, 1);
                    made.add(now, Op.UP_TO, limit, "k" + kind, 7);
                    made.add(now, Op.ACQUIRE, limit, "k" + kind, 1);
                }
            }
            made.add(T0 - 2 * HOUR, Op.PEEK, third, "k" + kind, 1);
            made.add(T0 - 4 * HOUR, Op.ACQUIRE, third, "k" + kind, 1);
            made.add(T0 - 4 * HOUR, Op.PEEK, day, "k" + kind, 1);
        }
        return made.steps;
    }

    /** A tick of the one brings ten times as many permits. */
    private static List<Step> slackOfOthersWithOneMark() {
        HardCases made = new HardCases();
        Limit many = bucket(Kind.TOKEN_BUCKET_INTERVAL, 1_000, Duration.ofSeconds(1), 9_000);
        Limit few = many.with().permits(100).build();
        while (few.fingerprint() != many.fingerprint()) {
            few = few.with().burst(few.burst() + 1).build();
        }
        for (int turn = 0; turn < 4; turn++) {
            for (Limit limit : List.of(many, few)) {
                made.add(T0 + turn * MILLION, Op.ACQUIRE, limit, "k", 1);
                made.add(T0 + turn * MILLION, Op.UP_TO, limit, "k", 99_999);
            }
        }
        Limit three = many.with().permits(3).build();
        made.add(T0, Op.ACQUIRE, many, "three", 1);
        made.add(T0, Op.PEEK, three, "three", 1);
        return made.steps;
    }

    /** The ones have cut in the middle of a long tick what the others charge then. */
    private static List<Step> anHourThatOthersMovedAndCut() {
        HardCases made = new HardCases();
        Limit one = bucket(Kind.TOKEN_BUCKET_INTERVAL, 5, Duration.ofHours(3), 15);
        Limit other = bucket(Kind.TOKEN_BUCKET_INTERVAL, 7, Duration.ofHours(5), 70);
        long tick = T0 - T0 % (15 * HOUR);
        made.add(tick, Op.ACQUIRE, other, "k", 50);
        for (long at : List.of(1L, HOUR / 2, HOUR, 2 * HOUR, 3 * HOUR - 1)) {
            made.add(tick + at, Op.ACQUIRE, one, "k", 1);
            made.add(tick + at, Op.ACQUIRE, other, "k", 2);
            made.add(tick + at, Op.ACQUIRE, one, "k", 1);
            made.add(tick + at, Op.PEEK, one, "k", 15);
            made.add(tick + at, Op.PEEK, other, "k", 70);
        }
        made.add(tick + 6 * HOUR, Op.UP_TO, one, "k", 15);
        made.add(tick + 6 * HOUR, Op.UP_TO, other, "k", 70);
        return made.steps;
    }

    /** A third of a microsecond after 999,999 is the next second to others. */
    private static List<Step> fractionAtTheEndOfASecond() {
        HardCases made = new HardCases();
        Limit three = bucket(Kind.TOKEN_BUCKET, 3, Duration.ofSeconds(1), 30);
        Limit other = bucket(Kind.TOKEN_BUCKET, 1_000_000, Duration.ofSeconds(1), 20_000_000);
        made.add(T0 + 666_666, Op.ACQUIRE, three, "k", 1);
        made.add(T0 + 666_666, Op.PEEK, other, "k", 1);
        made.add(T0 + 666_666, Op.ACQUIRE, other, "k", 1);
        made.add(T0 + 666_666, Op.PEEK, three, "k", 1);
        return made.steps;
    }

    /** Three sets of numbers, of which two may share a mark. */
    private static List<Step> mixtures(Kind kind) {
        HardCases made = new HardCases();
        for (long seed = 0; seed < 12; seed++) {
            String key = "k" + seed;
            Mixture.of(kind, "hard", seed).play(T0, 60, (at, numbers, cost) -> {
                made.add(at, cost % 7 == 3 ? Op.UP_TO : Op.ACQUIRE, numbers, key, cost);
                return false;
            });
        }
        return made.steps;
    }

    private static Limit bucket(Kind kind, long permits, Duration period, long burst) {
        return kind.named("hard").permits(permits).period(period).burst(burst).build();
    }

    private static List<Step> cutByACostOfZero() {
        HardCases made = new HardCases();
        for (Kind kind : List.of(Kind.TOKEN_BUCKET, Kind.TOKEN_BUCKET_INTERVAL)) {
            Limit slow =
                    kind.named("hard").permits(10).period(Duration.ofHours(1)).build();
            Limit fast =
                    kind.named("hard").permits(10).period(Duration.ofSeconds(1)).build();
            made.add(T0, Op.ACQUIRE, slow, "k" + kind, 10);
            made.add(T0, Op.ACQUIRE, fast, "k" + kind, 0);
            made.add(T0, Op.PEEK, slow, "k" + kind, 1);
            made.add(T0, Op.ACQUIRE, fast, "k" + kind, 1);
            made.add(T0, Op.PEEK, slow, "k" + kind, 1);
        }
        return made.steps;
    }

    /** Entries of a log have room for 2047 permits, as long as nobody may use more. */
    private static List<Step> aLogThatGetsLargeNumbers() {
        HardCases made = new HardCases();
        Limit small = log(2_047);
        Limit large = log(2_048);
        Limit larger = log(MILLION);
        made.add(T0, Op.ACQUIRE, small, "k", 1_500);
        made.add(T0 + 1_000, Op.ACQUIRE, small, "k", 547);
        made.add(T0 + 1_001, Op.ACQUIRE, small, "k", 1);
        made.add(T0 + MILLION, Op.ACQUIRE, small, "k", 1_500);
        made.add(T0 + MILLION, Op.ACQUIRE, large, "k", 2);
        made.add(T0 + MILLION, Op.ACQUIRE, large, "k", 1);
        made.steps.add(new Step(T0 + MILLION, Op.LOCK, List.of(Charge.of(large, "k", 1)), 5));
        made.add(T0 + MILLION + 6, Op.ACQUIRE, larger, "k", 900_000);
        made.add(T0 + MILLION + 7, Op.ACQUIRE, larger, "k", 90_000);
        made.add(T0 + MILLION + 8, Op.PEEK, larger, "k", 50_000);
        made.add(T0 + MILLION + 8, Op.REFUND, larger, "k", 980_000);
        made.add(T0 + MILLION + 8, Op.PEEK, small, "k", 1);
        made.add(T0 + MILLION + 1_000, Op.PEEK, small, "k", 1);
        made.add(T0 + 2 * MILLION, Op.PEEK, large, "k", 2_048);
        made.add(T0 + 2 * MILLION, Op.ACQUIRE, small, "k", 30);
        made.add(T0 + 3 * MILLION, Op.UP_TO, small, "k", 3_000);
        made.add(T0 + 3 * MILLION, Op.PEEK, larger, "k", MILLION);
        return made.steps;
    }

    private static List<Step> aLogWhoseTotalsGoAround() {
        HardCases made = new HardCases();
        for (Limit limit : List.of(log(2_047), log(MILLION))) {
            long part = limit.permits() / 3;
            for (long i = 0; i < 60; i++) {
                long now = T0 + i * MILLION / 4;
                made.add(now, Op.ACQUIRE, limit, "k" + limit.permits(), part);
                made.add(now, Op.PEEK, limit, "k" + limit.permits(), 2 * part);
            }
        }
        return made.steps;
    }

    private static Limit log(long permits) {
        return Kind.SLIDING_WINDOW_LOG
                .named("hard")
                .permits(permits)
                .period(Duration.ofSeconds(1))
                .build();
    }

    /** The clock steps back until a state is just to be believed, and a microsecond further. */
    private static List<Step> barelyBelievable(Kind kind) {
        HardCases made = new HardCases();
        Limit limit =
                kind.named("hard").permits(3).period(Duration.ofSeconds(1)).build();
        if (kind.isBucket()) {
            limit = limit.with().burst(2L).build();
        }
        long capacity = -Math.floorDiv(-limit.ticksWhenSpent(), limit.ticksPerMicro());
        long longest = kind.isBucket() && kind != Kind.TOKEN_BUCKET_INTERVAL ? capacity : limit.periodMicros();
        for (long unused : List.of(0L, 333_333L, 333_334L, 666_667L, 1_000_000L, 1_100_000L, 100_000L)) {
            for (long off = -1; off <= 1; off++) {
                String key = "k" + unused + "/" + off;
                made.add(T0, Op.ACQUIRE, limit, key, unused == 333_333L || unused == 333_334L ? 1 : 2);
                made.add(T0, Op.ACQUIRE, limit, key + "-locked", 1);
                made.steps.add(new Step(T0, Op.LOCK, List.of(Charge.of(limit, key + "-locked", 1)), 1));
                made.add(T0 + unused - longest - HOUR + off, Op.PEEK, limit, key, 1);
                made.add(T0 + unused - longest - HOUR + off, Op.ACQUIRE, limit, key, 1);
                made.add(T0 + unused - longest - HOUR + off, Op.ACQUIRE, limit, key + "-locked", 1);
            }
        }
        return made.steps;
    }

    /** Among what others were granted before, at once and later, behind a lock, and after the clock stepped back. */
    private static List<Step> cancelledAroundTheEnd(Kind kind) {
        HardCases made = new HardCases();
        Limit limit =
                kind.named("hard").permits(9).period(Duration.ofSeconds(1)).build();
        for (long unit : List.of(MILLION, MILLION + MILLION / 10)) {
            for (long off = -1; off <= 1; off++) {
                String key = "k" + unit + "/" + off;
                made.add(T0 - 1, Op.ACQUIRE, limit, key, 1);
                made.add(T0, Op.ACQUIRE, limit, key, 1);
                made.steps.add(new Step(T0, Op.RESERVE, List.of(new Charge(limit, key, 2, HOUR)), 0));
                long first = made.steps.size() - 1L;
                made.add(T0 + 2, Op.ACQUIRE, limit, key, 1);
                made.steps.add(new Step(T0 + 1, Op.RESERVE, List.of(new Charge(limit, key, 1, HOUR)), 0));
                long second = made.steps.size() - 1L;
                made.add(T0 + MILLION / 2, Op.ACQUIRE, limit, key, 1);
                made.steps.add(new Step(T0 + MILLION / 2, Op.LOCK, List.of(Charge.of(limit, key, 1)), MILLION));
                made.steps.add(new Step(T0 + unit + off, Op.CANCEL, List.of(), first));
                made.add(T0 + unit + off, Op.PEEK, limit, key, 0);
                made.steps.add(new Step(T0 + unit + off + 1, Op.CANCEL, List.of(), second));
                made.add(T0 + 2 * MILLION, Op.ACQUIRE, limit, key, 9);
            }
        }
        return made.steps;
    }

    /** The same for a lock. */
    private static List<Step> lockBarelyBelievable(Kind kind) {
        HardCases made = new HardCases();
        Limit limit = kind.named("hard").permits(3).period(Duration.ofDays(31)).build();
        long longest = Duration.ofDays(31).toNanos() / 1_000;
        for (long off = -1; off <= 1; off++) {
            made.steps.add(new Step(T0, Op.LOCK, List.of(Charge.of(limit, "k" + off, 1)), longest - HOUR / 2));
            made.add(T0 - HOUR / 2 - HOUR + off, Op.PEEK, limit, "k" + off, 1);
            made.add(T0 - HOUR / 2 - HOUR + off, Op.ACQUIRE, limit, "k" + off, 1);
        }
        return made.steps;
    }

    private void add(long at, Op op, Limit limit, String key, long cost) {
        steps.add(new Step(at, op, List.of(Charge.of(limit, key, cost)), 0));
    }
}
