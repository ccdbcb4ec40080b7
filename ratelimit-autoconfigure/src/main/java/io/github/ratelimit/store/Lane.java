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

    /** So many calls may be under way, each for itself; of trips that many share, two. */
    static final int MOST_ALONE = 4;

    static final int MOST_TRIPS = 2;
    static final int LARGEST_BATCH = 256;

    private final Limit limit;
    private final String key;
    private final long patienceNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ArrayDeque<Call> waiting;
    private int trips;
    private int calls;
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
            if (hasPlace()) {
                trips++;
                calls++;
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
            return batch(waiting, call.sinceNanos);
        } finally {
            lock.unlock();
        }
    }

    private boolean hasPlace() {
        return (waiting == null || waiting.isEmpty()) && (calls < MOST_ALONE || trips < MOST_TRIPS);
    }

    /**
     * A trip has come back. Returns who leaves next: nobody, if nobody waits or others are under way for whom they wait;
     * {@code null} where that closes the lane.
     *
     * @param back how many calls went on it
     */
    @Nullable
    List<Call> next(int back, long nowNanos) {
        lock.lock();
        try {
            trips--;
            calls -= back;
            List<Call> next = waiting == null || trips >= MOST_TRIPS ? List.of() : batch(waiting, nowNanos);
            closed = trips == 0;
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
        if (!batch.isEmpty()) {
            leftNanos = nowNanos;
            trips++;
            calls += batch.size();
        }
        return batch;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Lane lane && key.equals(lane.key) && limit.equals(lane.limit));
    }

    @Override
    public int hashCode() {
        return hash(limit, key);
    }

    static int hash(Limit limit, String key) {
        return 31 * limit.hashCode() + key.hashCode();
    }
}
