/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counters of a store, never more than it may keep.
 *
 * <p><b>Leaving.</b> A missing counter is an unused one, so an unused counter may leave at any time and no answer changes.
 * Every newcomer looks at a few counters, in turn, and sends those away that are unused: four looks for one entry keep
 * the unused below a third of the rest. One that counts never leaves.
 *
 * <p><b>No room.</b> When all are in use, the newcomers of a limit count together, in one shared counter per limit and
 * shape. Nobody becomes unlimited and nothing grows. Newcomers look at many counters for one that is unused; but a flood
 * of keys would have each of them look in vain, so for a moment after that they look at a few. When there is room again, a newcomer gets a counter of its own that
 * begins as a copy of the shared one: whatever the key has used is in there, so nobody gets a fresh counter that way,
 * and the copy recovers at its own pace.
 *
 * <p><b>Locking.</b> A cell found without a lock may leave before it is locked: {@link #isValid} tells. A key whose cell
 * is shared until then may have got its own: that happens under the shared cell's lock, so it tells this too. A newcomer
 * stays until it has been locked for the first time: two newcomers of one call would else send each other away for ever. Entering
 * locks the shared cell, then the door, and tries the locks of others without waiting; nobody enters while holding a
 * cell.
 */
final class Cells {

    private static final Logger LOG = LoggerFactory.getLogger(Cells.class);

    /** Below so many counters nobody is sent away. */
    private static final int ROOMY = 256;

    private static final int LOOKS = 4;
    private static final int LOOKS_WHEN_FULL = 64;

    /** How long nobody looks at many counters after that was in vain, in microseconds. */
    private static final long MOMENT = 1_000;

    private final ConcurrentHashMap<CounterKey, Cell> own = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<CounterKey, Cell> shared = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final LongSupplier clock;
    private final int most;
    private final boolean openAlways;

    private final ReentrantLock door = new ReentrantLock();
    private final List<Cell> inTurn = new ArrayList<>();
    private int turn;
    private long inVain;

    /** Of at most so many keys; always open for a test of that, else where threads meet. */
    Cells(LongSupplier clock, int most, boolean openAlways) {
        this.clock = clock;
        this.most = most;
        this.openAlways = openAlways;
    }

    int size() {
        return own.size();
    }

    /** The cell in which a key is counted, which enters if it has to; not locked. */
    Cell enter(CounterKey key, Limit limit) {
        Cell cell = own.get(key);
        while (cell == null) {
            cell = newcomer(key, limit, shared.get(key.shared()));
        }
        return cell;
    }

    /** The cell in which a key is counted; not locked. One that is missing enters, or stands outside: unused and soon forgotten. */
    Cell cell(CounterKey key, Limit limit, boolean enters) {
        Cell found = enters ? enter(key, limit) : find(key);
        return found == null ? outside(key, limit) : found;
    }

    /** The cell in which a key is counted, or {@code null} if there is none; not locked. */
    @Nullable
    Cell find(CounterKey key) {
        Cell cell = own.get(key);
        return cell == null ? shared.get(key.shared()) : cell;
    }

    /** Makes a key's own cell unused. */
    void forget(CounterKey key) {
        Cell cell = own.get(key);
        if (cell != null) {
            cell.lock();
            try {
                cell.usage.forget();
            } finally {
                cell.unlock();
            }
        }
    }

    /** A cell that belongs to nobody and counts nothing. */
    Cell outside(CounterKey key, Limit limit) {
        return newCell(key, Usage.unused(limit), false);
    }

    private Cell newCell(CounterKey key, Usage usage, boolean shared) {
        return new Cell(key, usage, shared, numbers.incrementAndGet(), openAlways);
    }

    /** Whether a locked cell is still the one in which the key is counted. */
    boolean isValid(Cell cell, CounterKey key) {
        return cell.shared ? !own.containsKey(key) : !cell.gone;
    }

    private @Nullable Cell newcomer(CounterKey key, Limit limit, @Nullable Cell common) {
        if (common == null) {
            return newcomerAtTheDoor(key, limit, null);
        }
        common.lock();
        try {
            return newcomerAtTheDoor(key, limit, common);
        } finally {
            common.unlock();
        }
    }

    /** The key's cell; {@code null} if a shared cell has appeared meanwhile. */
    private @Nullable Cell newcomerAtTheDoor(CounterKey key, Limit limit, @Nullable Cell common) {
        door.lock();
        try {
            Cell present = own.get(key);
            if (present != null || shared.get(key.shared()) != common) {
                return present;
            }
            long now = clock.getAsLong();
            if (!makeRoom(now)) {
                return common == null ? share(key, limit) : common;
            }
            Cell cell = newCell(key, firstUsage(limit, common, now), false);
            inTurn.add(cell);
            own.put(key, cell);
            return cell;
        } finally {
            door.unlock();
        }
    }

    private static Usage firstUsage(Limit limit, @Nullable Cell common, long now) {
        return common == null || common.usage.isUnused(now) ? Usage.unused(limit) : common.usage.copy();
    }

    private Cell share(CounterKey key, Limit limit) {
        LOG.warn(
                "{} keys are counted in this JVM and all of them are in use: further keys of limit '{}' share one"
                        + " counter. Raise ratelimit.local.max-keys if that many keys are expected.",
                most,
                key.limit());
        Cell cell = newCell(key.shared(), Usage.unused(limit), true);
        shared.put(cell.key, cell);
        return cell;
    }

    private boolean makeRoom(long now) {
        if (inTurn.size() >= ROOMY) {
            sendAway(now, LOOKS);
        }
        boolean again = Math.abs(now - inVain) < MOMENT;
        int allowed = again ? LOOKS : LOOKS_WHEN_FULL;
        for (int looks = 0; looks < allowed && isFull(); looks++) {
            sendAway(now, 1);
        }
        if (isFull() && !again) {
            inVain = now;
        }
        return !isFull();
    }

    private boolean isFull() {
        return inTurn.size() >= most;
    }

    /** Looks at the next few and sends the unused away; the last one takes a place that becomes free. */
    private void sendAway(long now, int looks) {
        for (int look = 0; look < looks; look++) {
            turn = turn < inTurn.size() ? turn : 0;
            Cell cell = inTurn.get(turn);
            if (cell.leaveIfUnused(now)) {
                own.remove(cell.key);
                Cell last = inTurn.remove(inTurn.size() - 1);
                if (last != cell) {
                    inTurn.set(turn, last);
                }
            } else {
                turn++;
            }
        }
    }
}
