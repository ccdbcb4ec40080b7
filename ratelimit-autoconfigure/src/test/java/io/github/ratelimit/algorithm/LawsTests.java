/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.algorithm.History.Step;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Laws that hold for every algorithm, over random histories. A failure names the seed's limit and step. */
class LawsTests {

    private static final long START = 1_800_000_000_000_000L;
    private static final int STEPS = 400;

    /** Every limit of a kind, with and without a penalty. */
    private static List<Limit> limits(Kind kind) {
        List<Limit> limits = new ArrayList<>(History.limits(kind).toList());
        limits.add(limits.get(0).with().penalty(Duration.ofMillis(700)).build());
        return limits;
    }

    private static List<Step> history(Limit limit) {
        return new History(seed(limit), limit).steps(STEPS, START);
    }

    @ParameterizedTest
    @EnumSource
    void answersAsDefined(Kind kind) {
        for (Limit limit : History.limits(kind).toList()) {
            Key key = new Key(limit);
            Definition definition = Definition.of(kind, limit);
            for (Step step : history(limit)) {
                boolean fits = step.cost() <= definition.remaining(step.at());
                boolean departs = kind != Kind.LEAKY_BUCKET || definition.isUnused(step.at());
                Decision decision = key.at(step.at()).decide(step.cost(), 0, true);

                assertThat(decision.passes()).as("%s, %s", limit, step).isEqualTo(fits && departs);
                if (decision.passes()) {
                    definition.grant(step.at(), step.cost());
                    if (step.maxWait() == 0 && step.cost() > 1) {
                        key.refund(step.cost() / 2);
                        definition.giveBack(step.at(), step.cost() / 2);
                    }
                }
                assertState(key, definition, step);
            }
        }
    }

    private static void assertState(Key key, Definition definition, Step step) {
        Allowed state = (Allowed) key.decide(0, 0, false);
        long unusedAt = step.at() + state.resetAfterMicros();

        assertThat(state.remaining()).as("%s", step).isEqualTo(definition.remaining(step.at()));
        assertThat(definition.isUnused(unusedAt)).as("%s", step).isTrue();
        assertThat(unusedAt == step.at() || !definition.isUnused(unusedAt - 1))
                .as("%s", step)
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void sameCallIsGrantedAtRetryAfterAndDeniedOneMicrosecondBefore(Kind kind) {
        for (Limit limit : limits(kind)) {
            Key key = new Key(limit);
            int denials = 0;
            for (Step step : history(limit)) {
                if (key.at(step.at()).decide(step.cost(), step.maxWait(), true) instanceof Denied denied) {
                    long retryAfter = denied.retryAfterMicros();
                    assertThat(retryAfter).isPositive();
                    assertThat(key.at(step.at() + retryAfter).peek(step.cost(), step.maxWait()))
                            .as("%s, %s", limit, step)
                            .startsWith("granted");
                    assertThat(key.at(step.at() + retryAfter - 1).peek(step.cost(), step.maxWait()))
                            .as("%s, %s", limit, step)
                            .doesNotStartWith("granted");
                    denials++;
                }
            }
            assertThat(denials).as("denials of %s", limit).isGreaterThan(10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void forgettingAnUnusedKeyChangesNoAnswer(Kind kind) {
        for (Limit limit : limits(kind)) {
            Key kept = new Key(limit);
            Key forgotten = new Key(limit);
            int times = 0;
            for (Step step : history(limit)) {
                if (forgotten.at(step.at()).isUnused()) {
                    forgotten = new Key(limit).at(step.at());
                    times++;
                }
                assertThat(forgotten.acquire(step.cost(), step.maxWait()))
                        .as("%s, %s", limit, step)
                        .isEqualTo(kept.at(step.at()).acquire(step.cost(), step.maxWait()));
            }
            assertThat(times).as("times forgotten: %s", limit).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void peekIsWhatAcquireAnswers(Kind kind) {
        for (Limit limit : limits(kind)) {
            Key key = new Key(limit);
            for (Step step : history(limit)) {
                String peeked = key.at(step.at()).peek(step.cost(), step.maxWait());
                assertThat(key.acquire(step.cost(), step.maxWait())).isEqualTo(peeked);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void costIsSoManyGrantsAtOneInstant(Kind kind) {
        for (Limit limit : History.limits(kind).toList()) {
            Key whole = new Key(limit);
            Key single = new Key(limit);
            for (Step step : history(limit)) {
                long room = ((Allowed) single.at(step.at()).decide(0, 0, false)).remaining();
                long cost = Math.min(step.cost(), room);
                boolean paced = kind == Kind.LEAKY_BUCKET;
                whole.at(step.at()).decide(cost, paced ? Charge.LONGEST_WAIT_MICROS : 0, true);
                for (int i = 0; i < cost; i++) {
                    assertThat(single.acquire(1, paced ? Charge.LONGEST_WAIT_MICROS : 0))
                            .startsWith("granted");
                }
                assertThat(single.state()).as("%s, %s", limit, step).isEqualTo(whole.state());
            }
        }
    }

    /** By whole periods, so that edges and ticks move along. */
    @ParameterizedTest
    @EnumSource
    void shiftingTimeChangesNothing(Kind kind) {
        for (Limit limit : limits(kind)) {
            Key here = new Key(limit);
            Key there = new Key(limit);
            long shift = -(START / limit.periodMicros() + 5) * limit.periodMicros();
            for (Step step : history(limit)) {
                assertThat(there.at(step.at() + shift).acquire(step.cost(), step.maxWait()))
                        .as("%s, %s", limit, step)
                        .isEqualTo(here.at(step.at()).acquire(step.cost(), step.maxWait()));
            }
        }
    }

    /** Where a permit takes whole microseconds nothing is rounded, and answers are scaled exactly. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SLIDING_WINDOW_COUNTER_WEIGHTED")
    void scalingAllTimesChangesNothing(Kind kind) {
        Limit limit =
                kind.named("orders").permits(5).period(Duration.ofMillis(20)).build();
        Limit scaled = limit.with().period(Duration.ofSeconds(20)).build();
        Key small = new Key(limit);
        Key large = new Key(scaled);
        for (Step step : new History(7, limit).steps(STEPS, 0)) {
            long wait = kind.isBucket() ? Math.min(step.maxWait(), 1_000_000) : 0;
            Decision one = small.at(step.at()).decide(step.cost(), wait, true);
            Decision other = large.at(step.at() * 1_000).decide(step.cost(), wait * 1_000, true);

            assertThat(Key.line(other)).as("%s", step).isEqualTo(Key.line(scaled(one, 1_000)));
        }
    }

    private static Decision scaled(Decision decision, long factor) {
        if (decision instanceof Denied denied) {
            return new Denied(
                    denied.definition(),
                    denied.reason(),
                    denied.remaining(),
                    denied.resetAfterMicros() * factor,
                    denied.retryAfterMicros() * factor);
        }
        Allowed allowed = (Allowed) decision;
        return new Allowed(
                allowed.definition(),
                allowed.remaining(),
                allowed.resetAfterMicros() * factor,
                allowed.delayMicros() * factor);
    }

    @ParameterizedTest
    @EnumSource
    void takingBackAtOnceLeavesNoTrace(Kind kind) {
        for (Limit limit : History.limits(kind).toList()) {
            Key key = new Key(limit);
            for (Step step : history(limit)) {
                String before = key.at(step.at()).state();
                if (key.peek(step.cost(), step.maxWait()).startsWith("granted")) {
                    Hold hold = key.reserve(step.cost(), step.maxWait());
                    assertThat(key.cancel(hold)).as("%s, %s", limit, step).isEqualTo(step.cost());
                    assertThat(key.state()).as("%s, %s", limit, step).isEqualTo(before);
                    key.acquire(step.cost(), step.maxWait());
                    key.refund(step.cost());
                    assertThat(key.state()).as("%s, %s", limit, step).isEqualTo(before);
                    key.acquire(step.cost(), step.maxWait());
                }
            }
        }
    }

    /** Those that stay depart no earlier than was promised to them, and as if the others had never come. */
    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "TOKEN_BUCKET_INTERVAL", "LEAKY_BUCKET", "LEAKY_BUCKET_METER"})
    void takingBackNeverHurtsThoseWhoReservedAfter(Kind kind) {
        for (Limit limit : History.limits(kind).toList()) {
            Random random = new Random(seed(limit));
            Key key = new Key(limit);
            List<Hold> waiting = new ArrayList<>();
            List<long[]> departures = new ArrayList<>();
            for (Step step : history(limit)) {
                key.at(step.at());
                for (Hold due : List.copyOf(waiting)) {
                    if (due.dueMicros() < step.at()) {
                        waiting.remove(due);
                        departures.add(new long[] {due.dueMicros(), due.charge().cost()});
                    }
                }
                if (key.peek(step.cost(), step.maxWait()).startsWith("granted")) {
                    waiting.add(key.reserve(step.cost(), step.maxWait()));
                }
                if (random.nextInt(3) == 0 && !waiting.isEmpty()) {
                    Hold left = waiting.remove(random.nextInt(waiting.size()));
                    long restored = key.cancel(left);
                    assertThat(restored).isBetween(0L, left.charge().cost());
                    if (restored < left.charge().cost()) {
                        // what was reserved after it stays taken, as if it had departed
                        departures.add(
                                new long[] {left.dueMicros(), left.charge().cost() - restored});
                    }
                }
            }
            waiting.forEach(hold ->
                    departures.add(new long[] {hold.dueMicros(), hold.charge().cost()}));
            assertThatNoException()
                    .as("%s", limit)
                    .isThrownBy(() -> Promise.of(kind, limit).check(departures));
        }
    }

    @ParameterizedTest
    @EnumSource
    void neverMoreThanPromised(Kind kind) {
        for (Limit limit : limits(kind)) {
            Key key = new Key(limit);
            List<long[]> departures = new ArrayList<>();
            for (Step step : history(limit)) {
                if (key.at(step.at()).decide(step.cost(), step.maxWait(), true) instanceof Allowed allowed) {
                    departures.add(new long[] {step.at() + allowed.delayMicros(), step.cost()});
                }
            }
            Promise.of(kind, limit).check(departures);
        }
    }

    /** A clock that jumps about within the hour. */
    @ParameterizedTest
    @EnumSource
    void clockThatStepsBackFreesNothing(Kind kind) {
        for (Limit limit : limits(kind)) {
            Random random = new Random(seed(limit));
            Key key = new Key(limit);
            for (Step step : history(limit)) {
                key.at(step.at()).acquire(step.cost(), step.maxWait());
                long remaining = ((Allowed) key.decide(0, 0, false)).remaining();
                key.at(step.at() - random.nextInt(100_000));
                Allowed earlier = (Allowed) key.decide(0, 0, false);

                assertThat(earlier.remaining()).as("%s, %s", limit, step).isLessThanOrEqualTo(remaining);
                key.acquire(1, step.maxWait());
            }
        }
    }

    /** A copy grants nothing that the original would not grant. */
    @ParameterizedTest
    @EnumSource
    void copyHoldsNoLess(Kind kind) {
        for (Limit limit : limits(kind)) {
            Key key = new Key(limit);
            for (Step step : history(limit)) {
                key.at(step.at()).acquire(step.cost(), step.maxWait());
                Key copy = key.copy();
                for (long later : new long[] {0, 1, limit.periodMicros() / 3, limit.periodMicros()}) {
                    Allowed original = (Allowed) key.at(step.at() + later).decide(0, 0, false);
                    Allowed copied = (Allowed) copy.at(step.at() + later).decide(0, 0, false);
                    assertThat(copied.remaining()).as("%s, %s", limit, step).isLessThanOrEqualTo(original.remaining());
                    assertThat(copied.resetAfterMicros()).isEqualTo(original.resetAfterMicros());
                }
            }
        }
    }

    /** The same in every run: a limit's own hash is not, for an enum's is its place in memory. */
    private static int seed(Limit limit) {
        return (limit + " " + limit.shape() + " " + limit.burst()).hashCode();
    }
}
