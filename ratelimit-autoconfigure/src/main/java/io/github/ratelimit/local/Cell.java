/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.algorithm.Usage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One counter and its lock. Whoever needs several locks them in the order of their numbers.
 *
 * <p>Whoever unlocks leaves it open where the counter has an {@link OpenBucket}, which is charged without the lock. Whoever locks
 * closes that first, and finds in the counter what has become of it. A shared cell, and one that is gone, are never open.
 */
final class Cell extends ReentrantLock {

    private static final long serialVersionUID = 1L;

    final transient Group group;
    final String key;
    final transient Usage usage;
    final boolean shared;
    final long number;

    /** Whether the one for whom the counter entered has locked it: until then it stays. Guarded by the lock. */
    boolean arrived;

    /** Whether the counter has left the store. Guarded by the lock. */
    boolean gone;

    private final boolean opens;

    /** What was left open last: to be charged, unless the counter is locked. Replaced under the lock. */
    private transient volatile @Nullable OpenBucket open;

    /** Whether the last call that took no lock was denied, as far as a thread knows: a guess at the next one. */
    private boolean denied;

    /**
     * A cell.
     *
     * @param key whose counter it is, as {@link KeyDigest#kept} keeps it
     * @param shared whether several keys are counted in it
     * @param number its place in the order of locking
     * @param opens whether it is left open where that can be
     */
    Cell(Group group, String key, Usage usage, boolean shared, long number, boolean opens) {
        this.group = group;
        this.key = key;
        this.usage = usage;
        this.shared = shared;
        this.number = number;
        this.opens = opens && !shared;
    }

    /** Decides a charge of 1 or more without a lock, where that can be. */
    @Nullable
    Decision decideOpen(Charge charge, LongSupplier microsClock) {
        OpenBucket present = open;
        if (present == null || charge.maxWaitMicros() > 0) {
            return null;
        }
        Decision decision = present.decide(denied, charge.limit(), charge.cost(), microsClock);
        boolean denies = decision instanceof Denied;
        if (denied != denies) {
            denied = denies;
        }
        return decision;
    }

    boolean isOpen() {
        OpenBucket present = open;
        return present != null && present.isOpen();
    }

    @Override
    public void lock() {
        super.lock();
        close();
    }

    @Override
    public boolean tryLock() {
        boolean locked = super.tryLock();
        if (locked) {
            close();
        }
        return locked;
    }

    private void close() {
        OpenBucket left = open;
        if (left != null) {
            left.closeInto(usage);
        }
    }

    @Override
    public void unlock() {
        if (opens && !gone && getHoldCount() == 1) {
            leaveOpen();
        }
        super.unlock();
    }

    /** Most counters have the same open bucket as before, or none: writing that anew would take as long as the lock. */
    private void leaveOpen() {
        OpenBucket before = open;
        OpenBucket now = OpenBucket.leftOpen(before, usage);
        if (now != before) {
            open = now;
        }
    }

    /** Locks, unless the cell is no longer the one in which the key is counted. */
    boolean lockFor(String who, Cells cells) {
        lock();
        if (cells.isValid(this, who)) {
            arrived = true;
            return true;
        }
        unlock();
        return false;
    }

    /** Leaves if nothing is used; a counter that somebody works with stays. */
    boolean leaveIfUnused(long now) {
        if (!tryLock()) {
            return false;
        }
        try {
            gone = arrived && usage.isUnused(now);
            return gone;
        } finally {
            unlock();
        }
    }
}
