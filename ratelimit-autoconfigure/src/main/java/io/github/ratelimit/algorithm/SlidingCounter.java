/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;
import java.util.Arrays;

/**
 * Counts in slots of {@code w = period / slots} that slide: the slots of one period, and the one that leaves.
 *
 * <p><b>Model.</b> In slot {@code k}, {@code x} after its beginning, the slots {@code k-S+1 .. k} count in full. Slot
 * {@code k-S} lies on the edge of the period. Strict: it counts in full too, so no period ever holds more than the
 * permits. Weighted: it counts by its overlap, {@code (w - x) / w}, as if its permits had been spread evenly.
 *
 * <p><b>Example.</b> 10 per second, one slot, weighted: 10 were granted in slot 0. At 1.5 s the overlap is half, the
 * estimate 5, and 5 remain. A cost of 6 needs an overlap of 4/10: granted at 1.6 s.
 *
 * <p><b>Bounds.</b> Counts and permits are at most 10^6 and a slot at most 2.68 * 10^12 microseconds: count * w stays below
 * 2.7 * 10^18.
 */
final class SlidingCounter extends Window {

    private int[] counts = new int[0];
    private long newest = LONG_AGO;
    private long total;

    private boolean believable;
    private long slot;
    private long sum;
    private long leaving;
    private long taken;

    SlidingCounter(Limit limit) {
        super(limit);
    }

    @Override
    boolean look(Limit limit, long now) {
        this.limit = limit;
        this.now = now;
        taken = 0;
        slot = Math.floorDiv(now, limit.slotMicros());
        believable = total == 0 || newest * limit.slotMicros() - now <= limit.periodMicros() + DOUBT_MICROS;
        if (total == 0 || !believable) {
            sum = 0;
            leaving = 0;
            return believable;
        }
        slot = Math.max(slot, newest);
        sum = total;
        for (long gone = newest - limit.slots(); gone <= newest && gone < slot - limit.slots(); gone++) {
            sum -= count(gone);
        }
        leaving = count(slot - limit.slots());
        return true;
    }

    private long count(long which) {
        return which > newest || which < newest - limit.slots() ? 0 : counts[index(which)];
    }

    private int index(long which) {
        return Math.floorMod(which, limit.slots() + 1);
    }

    @Override
    long spare() {
        long full = sum + taken - leaving;
        long x = Math.max(0, now - slot * limit.slotMicros());
        long edge = limit.strict() ? leaving : Whole.ceil(leaving * (limit.slotMicros() - x), limit.slotMicros());
        return limit.permits() - full - edge;
    }

    @Override
    long untilSpare(long cost) {
        return limit.strict() ? untilSpareInFull(cost) : untilSpareByOverlap(cost);
    }

    /** The beginning of the first slot in which enough slots have left. */
    private long untilSpareInFull(long cost) {
        long spare = limit.permits() - sum;
        long later = 0;
        while (spare < cost) {
            spare += count(slot - limit.slots() + later);
            later++;
        }
        return (slot + later) * limit.slotMicros() - now;
    }

    /** The first slot in which those that count in full leave room, and in it the instant at which the edge fits too. */
    private long untilSpareByOverlap(long cost) {
        long room = limit.permits() - (sum - leaving) - cost;
        long edge = leaving;
        long later = 0;
        while (room < 0) {
            later++;
            edge = count(slot - limit.slots() + later);
            room += edge;
        }
        long width = limit.slotMicros();
        long x = edge == 0 ? 0 : Math.max(0, width - room * width / edge);
        return (slot + later) * width + x - now;
    }

    @Override
    long resetAfter() {
        if (sum + taken == 0) {
            return 0;
        }
        long last = slot;
        while (taken == 0 && count(last) == 0) {
            last--;
        }
        return (last + limit.slots() + 1) * limit.slotMicros() - now;
    }

    @Override
    void take(long cost) {
        taken += cost;
    }

    @Override
    void keep() {
        if (counts.length == 0) {
            counts = new int[limit.slots() + 1];
        }
        if (sum == 0) {
            Arrays.fill(counts, 0);
        }
        for (long fresh = Math.max(newest + 1, slot - limit.slots()); fresh <= slot; fresh++) {
            counts[index(fresh)] = 0;
        }
        counts[index(slot)] += (int) taken;
        newest = slot;
        sum += taken;
        total = sum;
        taken = 0;
    }

    @Override
    long give(long permits) {
        long given = Math.min(permits, sum);
        if (given > 0) {
            keep();
            long left = given;
            for (long from = slot; left > 0; from--) {
                int part = (int) Math.min(left, counts[index(from)]);
                counts[index(from)] -= part;
                left -= part;
            }
            total -= given;
            look(limit, now);
        }
        return given;
    }

    /** From the slot that was charged, as long as it counts; there is nothing in a slot that is still to come. */
    @Override
    long takeBack(Hold hold) {
        long charged = Math.floorDiv(hold.dueMicros(), limit.slotMicros());
        long given = charged < slot - limit.slots() ? 0 : Math.min(hold.charge().cost(), count(charged));
        if (given > 0) {
            keep();
            counts[index(charged)] -= (int) given;
            total -= given;
            look(limit, now);
        }
        return given;
    }

    @Override
    Counter copy() {
        SlidingCounter copy = new SlidingCounter(limit);
        copy.counts = counts.clone();
        copy.newest = newest;
        copy.total = total;
        return copy;
    }
}
