/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.algorithm.Answers;
import io.github.ratelimit.algorithm.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Reads a script's reply: five integers per limit, told by {@code acquire.lua}. */
final class Tally {

    /** How many integers there are per limit. */
    static final int WIDTH = 5;

    private static final long GRANTS = 1;
    private static final long HEALED = 2;
    private static final long MICROS = 1_000_000;

    private final List<RedisCharge> charges;
    private final List<Long> reply;
    private final int offset;

    Tally(List<RedisCharge> charges, List<Long> reply, int offset) {
        this.charges = charges;
        this.reply = reply;
        this.offset = offset;
        if (reply.size() < offset + WIDTH * charges.size()) {
            throw new IllegalStateException("Redis replied with %d integers to %d limits; is a proxy in between?"
                    .formatted(reply.size(), charges.size()));
        }
    }

    /** Told of a call that was left undecided. */
    static final long UNDECIDED = -(1L << 53);

    /** The answer to a usual call, from the one integer that the script tells of it: see {@code greedy_usual.lua}. */
    static Decision usual(Charge charge, long told) {
        boolean grants = told >= 0;
        Decision part = Answers.greedy(
                charge.limit(),
                charge.cost(),
                0,
                grants ? Outcome.CHARGED : Outcome.DENIED,
                grants ? told : -1 - told,
                0);
        return charge.limit().shadow() ? Decision.together(List.of(part)) : part;
    }

    /** Whether every limit with a say grants. */
    boolean granted() {
        for (int i = 0; i < charges.size(); i++) {
            if (!grants(i) && !charges.get(i).charge().limit().shadow()) {
                return false;
            }
        }
        return true;
    }

    /** Whether a limit's state lay too far in the future to be believed. */
    boolean healed() {
        for (int i = 0; i < charges.size(); i++) {
            if ((verdict(i) & HEALED) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Each limit's own answer. */
    List<Decision> parts() {
        return parts(granted());
    }

    /** Each limit's own answer to a call that was granted, or was not. */
    List<Decision> parts(boolean granted) {
        if (charges.size() == 1) {
            return List.of(part(0, granted));
        }
        List<Decision> parts = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            parts.add(part(i, granted));
        }
        return parts;
    }

    private Decision part(int index, boolean granted) {
        Charge charge = charges.get(index).charge();
        Outcome outcome = !grants(index) ? Outcome.DENIED : granted ? Outcome.CHARGED : Outcome.SPARED;
        return switch (charges.get(index).packed().counter()) {
            case GREEDY ->
                Answers.greedy(
                        charge.limit(), charge.cost(), charge.maxWaitMicros(), outcome, debt(index), lock(index));
            case INTERVAL ->
                Answers.interval(
                        charge.limit(),
                        charge.cost(),
                        charge.maxWaitMicros(),
                        outcome,
                        fact(index, 0),
                        fact(index, 1),
                        lock(index));
            case FIXED_WINDOW, SLIDING_COUNTER, SLIDING_LOG ->
                Answers.window(
                        charge.limit(),
                        charge.cost(),
                        outcome,
                        fact(index, 0),
                        fact(index, 1),
                        fact(index, 2),
                        lock(index));
        };
    }

    /** What was charged, for taking it back; needs the time at the end of the reply. */
    List<Hold> holds() {
        long now = reply.get(reply.size() - 2) * MICROS + reply.get(reply.size() - 1);
        List<Hold> holds = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i).charge();
            if (charge.cost() > 0 && grants(i)) {
                holds.add(hold(i, charge, now));
            }
        }
        return holds;
    }

    private Hold hold(int index, Charge charge, long now) {
        return switch (charges.get(index).packed().counter()) {
            case GREEDY -> Answers.greedyHold(charge, now, debt(index));
            case INTERVAL -> Answers.intervalHold(charge, now, fact(index, 0));
            case FIXED_WINDOW, SLIDING_COUNTER, SLIDING_LOG -> Answers.windowHold(charge, now, fact(index, 2));
        };
    }

    private long debt(int index) {
        long ticksPerMicro = charges.get(index).charge().limit().ticksPerMicro();
        return (fact(index, 0) * MICROS + fact(index, 1)) * ticksPerMicro + fact(index, 2);
    }

    private boolean grants(int index) {
        return (verdict(index) & GRANTS) != 0;
    }

    private long verdict(int index) {
        return reply.get(offset + WIDTH * index);
    }

    private long lock(int index) {
        return reply.get(offset + WIDTH * index + 1);
    }

    private long fact(int index, int number) {
        return reply.get(offset + WIDTH * index + 2 + number);
    }
}
