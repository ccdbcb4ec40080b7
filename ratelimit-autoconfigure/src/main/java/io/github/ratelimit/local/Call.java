/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.algorithm.Usage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of several charges, with all its counters locked: granted as a whole, or not at all. */
final class Call implements AutoCloseable {

    private final LocalRateLimitStore store;
    private final List<Cell> locked;

    /** The charges in declared order, and the cell in which each is counted. */
    private final List<Charge> charges;

    private final List<Cell> counting;

    private Call(LocalRateLimitStore store, List<Charge> charges, List<Cell> counting, List<Cell> locked) {
        this.store = store;
        this.charges = charges;
        this.counting = counting;
        this.locked = locked;
    }

    /** Locks all counters of a call. Those that are missing enter, or stand outside: unused and soon forgotten. */
    static Call lock(LocalRateLimitStore store, Cells cells, List<Charge> charges, boolean enters) {
        List<String> keys =
                charges.stream().map(charge -> KeyDigest.kept(charge.key())).toList();
        while (true) {
            List<Cell> counting = new ArrayList<>();
            for (int i = 0; i < charges.size(); i++) {
                Limit limit = charges.get(i).limit();
                Cell cell = enters ? cells.enter(limit, keys.get(i)) : cells.find(limit, keys.get(i));
                counting.add(cell != null ? cell : outside(cells, limit, keys.get(i), counting));
            }
            List<Cell> locked = counting.stream()
                    .distinct()
                    .sorted(Comparator.comparingLong(cell -> cell.number))
                    .toList();
            locked.forEach(Cell::lock);
            Call call = new Call(store, charges, counting, locked);
            if (call.isValid(cells, keys)) {
                locked.forEach(cell -> cell.arrived = true);
                return call;
            }
            call.close();
        }
    }

    private static Cell outside(Cells cells, Limit limit, String key, List<Cell> others) {
        for (Cell other : others) {
            if (other.key.equals(key) && other.group.isOf(limit)) {
                return other;
            }
        }
        return cells.outside(limit, key);
    }

    private boolean isValid(Cells cells, List<String> keys) {
        for (int i = 0; i < keys.size(); i++) {
            if (!cells.isValid(counting.get(i), keys.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Decides all charges; without keeping, that is a peek. */
    Reservation decide(boolean keeps) {
        List<Part> parts = parts();
        boolean granted = true;
        for (Part part : parts) {
            granted &= part.asks() || part.charge.limit().shadow();
        }
        List<Decision> answers = new ArrayList<>();
        List<Hold> holds = new ArrayList<>();
        for (Part part : parts) {
            answers.add(part.answer(granted, holds));
            if (keeps) {
                part.cell.usage.keep();
            }
        }
        return new Reservation(Decision.together(answers), holds);
    }

    /** Gives every charge's permits back. */
    Decision refund() {
        List<Decision> answers = new ArrayList<>();
        for (Part part : parts()) {
            answers.add(part.cell.usage.giveBack(part.charge.cost()));
        }
        return Decision.together(answers);
    }

    /** Takes the charges back, of which these are the holds in the same order. */
    long cancel(List<Hold> holds) {
        long now = store.now();
        long restored = 0;
        for (int i = 0; i < holds.size(); i++) {
            Usage usage = store.look(counting.get(i), charges.get(i).limit(), now);
            restored += usage.takeBack(holds.get(i));
        }
        return restored;
    }

    /** One part per counter, in declared order, as seen now. */
    private List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < charges.size(); i++) {
            Part same = partOf(counting.get(i), parts);
            if (same == null) {
                parts.add(new Part(counting.get(i), charges.get(i)));
            } else {
                same.add(charges.get(i));
            }
        }
        long now = store.now();
        parts.forEach(part -> store.look(part.cell, part.charge.limit(), now));
        return parts;
    }

    private static @Nullable Part partOf(Cell cell, List<Part> parts) {
        for (Part part : parts) {
            if (part.cell == cell) {
                return part;
            }
        }
        return null;
    }

    @Override
    public void close() {
        locked.forEach(Cell::unlock);
    }
}
