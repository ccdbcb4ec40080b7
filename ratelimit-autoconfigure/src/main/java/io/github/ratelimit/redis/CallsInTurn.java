/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls on one counter that are decided one after the other in one instant: what the script is told of them, and what it
 * tells of usual ones. Calls that all cost the same, as nearly all do, are told by that cost and their number, and their
 * answers by how many were granted: so a trip costs Redis no more for many of them than for two.
 */
final class CallsInTurn {

    private static final byte[] NOTHING = {};
    private static final int ALIKE_BYTES = Double.BYTES + Integer.BYTES;
    private static final int TOLD_OF_ALIKE = 2;

    private final RedisCharge first;
    private final List<Charge> calls;
    private final boolean alike;

    /**
     * Calls on one counter.
     *
     * @param counter a charge of that counter, whichever
     * @param calls the charge of each, in order
     */
    CallsInTurn(RedisCharge counter, List<Charge> calls) {
        this.first = counter.with(calls.get(0));
        this.calls = calls;
        this.alike = calls.size() > 1 && costTheSame(calls);
    }

    private static boolean costTheSame(List<Charge> calls) {
        long cost = calls.get(0).cost();
        for (int i = 1; i < calls.size(); i++) {
            if (calls.get(i).cost() != cost) {
                return false;
            }
        }
        return true;
    }

    int count() {
        return calls.size();
    }

    RedisCharge first() {
        return first;
    }

    RedisCharge call(int turn) {
        return first.with(calls.get(turn));
    }

    /** The script argument: costs one behind the other, or one cost and how many calls there are; none: one call of cost 1. */
    byte[] costs() {
        if (alike) {
            return ByteBuffer.allocate(ALIKE_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putDouble((double) first.exactCost())
                    .putInt(calls.size())
                    .array();
        }
        if (calls.size() == 1 && first.exactCost() == 1) {
            return NOTHING;
        }
        long[] costs = new long[calls.size()];
        for (int i = 0; i < costs.length; i++) {
            costs[i] = RedisCharge.exactCost(calls.get(i));
        }
        return PackedLimit.pack(costs);
    }

    /** How many integers are told of them if they are usual. */
    int told() {
        return alike ? TOLD_OF_ALIKE : calls.size();
    }

    /** The answers to usual calls, told from here on; {@code null} for each if the counter was left undecided. */
    List<@Nullable Decision> usual(List<Long> reply, int at) {
        List<@Nullable Decision> decisions = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            long debt = alike ? debtOfAlike(reply.get(at), reply.get(at + 1), i) : reply.get(at + i);
            decisions.add(debt == Tally.UNDECIDED ? null : Tally.usual(calls.get(i), debt));
        }
        return decisions;
    }

    /** What the script would tell of the one at this turn: the debt after it, or -1 less the debt for who is denied. */
    private long debtOfAlike(long granted, long debt, int turn) {
        if (granted == Tally.UNDECIDED) {
            return granted;
        }
        return turn < granted
                ? debt - (granted - 1 - turn) * first.charge().limit().ticksPerPermit() * first.exactCost()
                : -1 - debt;
    }
}
