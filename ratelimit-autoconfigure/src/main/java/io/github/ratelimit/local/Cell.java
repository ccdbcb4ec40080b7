/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.algorithm.OneNumber;
import io.github.ratelimit.algorithm.Usage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One counter and its lock. Whoever needs several locks them in the order of their numbers.
 *
 * <p>Threads that meet at the lock leave it open behind them: from then on they charge an {@link OpenBucket} without it, where
 * the counter has one. Whoever locks closes that first, and finds in the counter what has become of it. A shared cell, and
 * one that is gone, are never open.
 */
final class Cell extends ReentrantLock {

    private static final long serialVersionUID = 1L;

    final transient CounterKey key;
    final transient Usage usage;
    final boolean shared;
    final long number;

    /** Whether the one for whom the counter entered has locked it: until then it stays. Guarded by the lock. */
    boolean arrived;

    /** Whether the counter has left the store. Guarded by the lock. */
    boolean gone;

    private final boolean opensAlways;

    /** Whether somebody had to wait for the one who has the lock. Guarded by the lock. */
    private boolean wanted;

    private transient volatile @Nullable OpenBucket open;

    /**
     * A cell.
     *
     * @param shared whether several keys are counted in it
     * @param number its place in the order of locking
     * @param opensAlways whether it is left open although nobody met there
     */
    Cell(CounterKey key, Usage usage, boolean shared, long number, boolean opensAlways) {
        this.key = key;
        this.usage = usage;
        this.shared = shared;
        this.number = number;
        this.opensAlways = opensAlways;
    }

    /** Decides a charge of 1 or more without a lock, where that can be. */
    @Nullable
    Decision decideOpen(Charge charge, LongSupplier microsClock) {
        OpenBucket present = open;
        return present == null || charge.maxWaitMicros() > 0
                ? null
                : present.decide(charge.limit(), charge.cost(), microsClock);
    }

    boolean isOpen() {
        return open != null;
    }

    @Override
    public void lock() {
        if (!tryLock()) {
            super.lock();
            close();
            wanted = true;
        }
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
            open = null;
            wanted = false;
            usage.become(left.close());
        }
    }

    @Override
    public void unlock() {
        if ((wanted || opensAlways) && !shared && !gone && getHoldCount() == 1) {
            long number = usage.number();
            open = number == OneNumber.UNKNOWN ? null : new OpenBucket(usage.limit(), number);
        }
        super.unlock();
    }

    /** Locks, unless the cell is no longer the one in which the key is counted. */
    boolean lockFor(CounterKey who, Cells cells) {
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
