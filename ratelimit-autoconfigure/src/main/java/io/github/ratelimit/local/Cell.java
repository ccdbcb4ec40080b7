/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.algorithm.Usage;
import java.util.concurrent.locks.ReentrantLock;

/** One counter and its lock. Whoever needs several locks them in the order of their numbers. */
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

    Cell(CounterKey key, Usage usage, boolean shared, long number) {
        this.key = key;
        this.usage = usage;
        this.shared = shared;
        this.number = number;
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
