/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testkit.StoreUnderTest;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A sequence being run on one store. */
final class SequenceRun {

    private static final long NO_WAIT = 0;

    private final Sequence sequence;
    private final List<Level> levels;
    private final StoreUnderTest store;
    private final long base;
    private final Map<String, Reservation> reservations = new HashMap<>();

    /** A run of the sequence by these limits, whose counters must be unused. */
    SequenceRun(Sequence sequence, List<Level> levels, StoreUnderTest store) {
        this.sequence = sequence;
        this.levels = levels;
        this.store = store;
        this.base = base();
    }

    /** Runs all steps and returns what was answered differently. */
    List<String> mismatches() {
        sequence.steps().forEach(this::check);
        List<String> mismatches = new ArrayList<>();
        bringAboutStart();
        for (Step step : sequence.steps()) {
            Answer answer = answer(step);
            if (step.isJudged()) {
                answer.differences(step.expect(), sequence.toleranceMicros())
                        .forEach(one -> mismatches.add("%s, step %d (%s %d at %d), %s"
                                .formatted(sequence.id(), step.index(), step.op(), step.permits(), step.time(), one)));
            }
        }
        return mismatches;
    }

    private void check(Step step) {
        step.check();
        if (step.permits() < 0) {
            throw new Unsupported("permits " + step.permits());
        }
    }

    /** The clock's time at the origin of the axis: 0, unless something happens before it. */
    private long base() {
        long earliest = sequence.steps().stream().mapToLong(Step::time).min().orElse(0);
        long needed = Math.max(0, -earliest);
        BigInteger align = BigInteger.ONE;
        for (Level level : levels) {
            BigInteger one = BigInteger.valueOf(level.alignMicros());
            align = align.multiply(one).divide(align.gcd(one));
            if (level.start().needsThePast()) {
                needed = Math.max(needed, 2 * level.limit().periodMicros());
            }
        }
        if (needed == 0) {
            return 0;
        }
        BigInteger times =
                BigInteger.valueOf(needed).add(align).subtract(BigInteger.ONE).divide(align);
        BigInteger shift = align.multiply(times);
        if (shift.bitLength() > 52) {
            throw new Unsupported("periods without a common multiple to shift time by");
        }
        return shift.longValueExact();
    }

    private void bringAboutStart() {
        if (sequence.steps().isEmpty()) {
            return;
        }
        long first = sequence.steps().get(0).time();
        sequence.steps().stream()
                .map(Step::key)
                .distinct()
                .forEach(key ->
                        levels.forEach(level -> level.start().bringAbout(store, level.limit(), key, base, first)));
    }

    private Answer answer(Step step) {
        store.setClock(base + step.time());
        return switch (step.op()) {
            case "acquire" -> reserve(step, NO_WAIT);
            case "reserve" -> reserve(step, Levels.ANY_WAIT);
            case "peek" -> Answer.of(Stages.await(store().peek(charges(step, step.permits(), NO_WAIT))));
            case "acquire_up_to" -> levels.size() == 1 ? acquireUpTo(step) : acquireUpToOfAll(step);
            case "cancel" -> cancel(step);
            case "refund" -> Answer.of(Stages.await(store().refund(charges(step, step.permits(), NO_WAIT))));
            case "reset" -> reset(step);
            case "lock" -> lock(step);
            case "burst_of" -> burst(step);
            default -> throw new Unsupported("op " + step.op());
        };
    }

    private Answer reserve(Step step, long wait) {
        List<Charge> charges = charges(step, step.permits(), wait);
        boolean plain = step.op().equals("acquire") && !Json.has(step.more(), "id");
        Reservation reservation = plain
                ? new Reservation(Stages.await(store().acquire(charges)), List.of())
                : Stages.await(store().reserve(charges));
        if (Json.has(step.more(), "id")) {
            reservations.put(Json.text(step.more(), "id"), reservation);
        }
        levels.forEach(level -> level.checkPatience(step, wait, reservation.decision()));
        return Answer.of(reservation.decision());
    }

    private Answer acquireUpTo(Step step) {
        PartialGrant grant = Stages.await(
                store().acquireUpTo(charges(step, step.permits(), NO_WAIT).get(0)));
        return Answer.of(grant.decision()).with("granted", grant.granted());
    }

    /** The store does this for one limit; for several its caller asks how many there are and takes those. */
    private Answer acquireUpToOfAll(Step step) {
        Decision present = Stages.await(store().peek(charges(step, 0, NO_WAIT)));
        long remaining = present instanceof Allowed allowed ? allowed.remaining() : 0;
        long wanted = Math.min(step.permits(), Math.max(1, remaining));
        Decision decision = Stages.await(store().acquire(charges(step, wanted, NO_WAIT)));
        return Answer.of(decision).with("granted", decision.passes() ? wanted : 0L);
    }

    private Answer cancel(Step step) {
        Reservation reservation = reservations.get(step.more().path("id").asText());
        if (reservation == null) {
            throw new Unsupported("cancel of " + step.more().get("id") + ", which is no reservation");
        }
        long restored = Stages.await(store().cancel(reservation));
        reservations.put(step.more().path("id").asText(), new Reservation(reservation.decision(), List.of()));
        return present(step).with("restored", restored);
    }

    private Answer reset(Step step) {
        levels.forEach(level -> Stages.await(store().reset(level.limit(), step.key())));
        return present(step);
    }

    private Answer lock(Step step) {
        long micros = Json.number(step.more(), "forUs");
        if (micros < 0 || micros > Levels.LONGEST_LOCK) {
            throw new Unsupported("a lock of " + micros + " µs");
        }
        Duration duration = Duration.ofNanos(Math.multiplyExact(micros, 1_000L));
        levels.forEach(level -> Stages.await(store().lock(level.limit(), step.key(), duration)));
        return present(step);
    }

    private Answer burst(Step step) {
        long count = Json.number(step.more(), "count");
        long every = Json.number(step.more(), "every", 0);
        Decision last = null;
        long allowed = 0;
        for (long i = 0; i < count; i++) {
            store.setClock(base + step.time() + i * every);
            last = Stages.await(store().acquire(charges(step, step.permits(), NO_WAIT)));
            allowed += last.passes() ? 1 : 0;
        }
        return (last == null ? new Answer() : Answer.of(last)).with("allowedCount", allowed);
    }

    /** The present state, for operations that do not tell it themselves. */
    private Answer present(Step step) {
        List<Charge> nothing = levels.stream()
                .map(level -> Charge.of(level.limit(), step.key(), 0))
                .toList();
        return Answer.of(Stages.await(store().peek(nothing)));
    }

    private List<Charge> charges(Step step, long permits, long wait) {
        return levels.stream().map(level -> level.charge(step, permits, wait)).toList();
    }

    private RateLimitStore store() {
        return store.store();
    }
}
