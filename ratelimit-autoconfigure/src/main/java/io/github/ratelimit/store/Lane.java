/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.CoalescingStore.Call;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The calls on one key that are under way, and those that wait for a place. Knows no clock and no store. */
final class Lane {

    static final int MOST_UNDER_WAY = 2;
    static final int LARGEST_BATCH = 256;

    private final Limit limit;
    private final String key;
    private final long patienceNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ArrayDeque<Call> waiting;
    private int underWay;
    private long leftNanos;
    private boolean closed;

    Lane(Limit limit, String key, long patienceNanos) {
        this.limit = limit;
        this.key = key;
        this.patienceNanos = patienceNanos;
    }

    /** Takes a call in. Returns who leaves now: nobody, if it has to wait; {@code null} where the lane is closed. */
    @Nullable
    List<Call> enter(Call call) {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            if (underWay < MOST_UNDER_WAY) {
                underWay++;
                leftNanos = call.sinceNanos;
                return List.of(call);
            }
            if (waiting == null) {
                waiting = new ArrayDeque<>();
            }
            waiting.add(call);
            if (call.sinceNanos - leftNanos <= patienceNanos) {
                return List.of();
            }
            underWay++;
            return batch(waiting, call.sinceNanos);
        } finally {
            lock.unlock();
        }
    }

    /** A batch has come back. Returns who leaves next: nobody, if nobody waits; {@code null} where that closes the lane. */
    @Nullable
    List<Call> next(long nowNanos) {
        lock.lock();
        try {
            List<Call> next = waiting == null ? List.of() : batch(waiting, nowNanos);
            if (next.isEmpty()) {
                underWay--;
                closed = underWay == 0;
            }
            return closed ? null : next;
        } finally {
            lock.unlock();
        }
    }

    /** Those who have waited longest and not given up. */
    private List<Call> batch(ArrayDeque<Call> waiting, long nowNanos) {
        List<Call> batch = new ArrayList<>(Math.min(waiting.size(), LARGEST_BATCH));
        while (batch.size() < LARGEST_BATCH && !waiting.isEmpty()) {
            Call call = waiting.remove();
            if (!call.isDone()) {
                batch.add(call);
            }
        }
        leftNanos = nowNanos;
        return batch;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Lane lane && key.equals(lane.key) && limit.equals(lane.limit));
    }

    @Override
    public int hashCode() {
        return 31 * limit.hashCode() + key.hashCode();
    }
}
