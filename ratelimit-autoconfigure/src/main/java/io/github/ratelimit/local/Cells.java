/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Usage;
import java.util.ArrayList;
import java.util.List;
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

    private final Groups groups = new Groups();
    private final AtomicLong numbers = new AtomicLong();
    private final LongSupplier clock;
    private final int most;
    private final boolean opens;

    private final ReentrantLock door = new ReentrantLock();
    private final List<Cell> inTurn = new ArrayList<>();
    private int turn;
    private long inVain;

    /** How many are in turn. Written at the door. */
    private volatile int size;

    /** Of at most so many keys, which are left open where that can be, unless a test wants all of them charged under the lock. */
    Cells(LongSupplier clock, int most, boolean opens) {
        this.clock = clock;
        this.most = most;
        this.opens = opens;
    }

    int size() {
        return size;
    }

    /** How many limits and shapes have counters. */
    int groups() {
        return groups.size();
    }

    /** The cell in which a key is counted, which enters if it has to; not locked. */
    Cell enter(Limit limit, String key) {
        Cell cell = groups.own(limit, key);
        while (cell == null) {
            cell = newcomer(limit, key, groups.shared(limit));
        }
        return cell;
    }

    /** The cell in which a key is counted; not locked. One that is missing enters, or stands outside: unused and soon forgotten. */
    Cell cell(Limit limit, String key, boolean enters) {
        Cell found = enters ? enter(limit, key) : find(limit, key);
        return found == null ? outside(limit, key) : found;
    }

    /** The cell in which a key is counted, or {@code null} if there is none; not locked. */
    @Nullable
    Cell find(Limit limit, String key) {
        Cell cell = groups.own(limit, key);
        return cell == null ? groups.shared(limit) : cell;
    }

    /** Makes a key's own cell unused. */
    void forget(Limit limit, String key) {
        Cell cell = groups.own(limit, key);
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
    Cell outside(Limit limit, String key) {
        return newCell(new Group(limit), key, Usage.unused(limit), false);
    }

    private Cell newCell(Group group, String key, Usage usage, boolean shared) {
        return new Cell(group, key, usage, shared, numbers.incrementAndGet(), opens);
    }

    /** Whether a locked cell is still the one in which the key is counted. */
    boolean isValid(Cell cell, String key) {
        return cell.shared ? !cell.group.hasOwn(key) : !cell.gone;
    }

    private @Nullable Cell newcomer(Limit limit, String key, @Nullable Cell common) {
        if (common == null) {
            return newcomerAtTheDoor(limit, key, null);
        }
        common.lock();
        try {
            return newcomerAtTheDoor(limit, key, common);
        } finally {
            common.unlock();
        }
    }

    /** The key's cell; {@code null} if a shared cell has appeared meanwhile. */
    private @Nullable Cell newcomerAtTheDoor(Limit limit, String key, @Nullable Cell common) {
        door.lock();
        try {
            Cell present = groups.own(limit, key);
            if (present != null || groups.shared(limit) != common) {
                return present;
            }
            long now = clock.getAsLong();
            boolean hasRoom = makeRoom(now);
            size = inTurn.size();
            if (!hasRoom) {
                return common == null ? share(limit) : common;
            }
            Cell cell = newCell(groups.enter(limit), key, firstUsage(limit, common, now), false);
            cell.group.add(cell);
            inTurn.add(cell);
            size = inTurn.size();
            return cell;
        } finally {
            door.unlock();
        }
    }

    private static Usage firstUsage(Limit limit, @Nullable Cell common, long now) {
        return common == null || common.usage.isUnused(now) ? Usage.unused(limit) : common.usage.copy();
    }

    private Cell share(Limit limit) {
        LOG.warn(
                "{} keys are counted in this JVM and all of them are in use: further keys of limit '{}' share one"
                        + " counter. Raise ratelimit.local.max-keys if that many keys are expected.",
                most,
                limit.name());
        Cell cell = newCell(groups.enter(limit), Limit.EVERYONE, Usage.unused(limit), true);
        cell.group.share(cell);
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
                groups.left(cell);
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
