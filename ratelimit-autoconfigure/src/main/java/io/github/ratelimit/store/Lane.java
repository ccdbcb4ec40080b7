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
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls that may share trips, under way or waiting for a place: those on one key, or the usual ones on all keys. Knows no clock
 * and no store.
 */
final class Lane {

    /** So many calls may be under way, each for itself; of trips that many share, two. */
    static final int MOST_ALONE = 4;

    static final int MOST_TRIPS = 2;
    static final int LARGEST_BATCH = 256;

    private final @Nullable Limit limit;
    private final String key;
    private final boolean lasting;
    private final long patienceNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ArrayDeque<Call> waiting;
    private int trips;
    private int calls;
    private int era;
    private long leftNanos;
    private boolean closed;

    /** The lane of a key, closed when its last trip is back. */
    Lane(Limit limit, String key, long patienceNanos) {
        this(limit, key, false, patienceNanos);
    }

    private Lane(@Nullable Limit limit, String key, boolean lasting, long patienceNanos) {
        this.limit = limit;
        this.key = key;
        this.lasting = lasting;
        this.patienceNanos = patienceNanos;
    }

    /** The lane of many keys, which is never closed. */
    static Lane ofAll(long patienceNanos) {
        return new Lane(null, "", true, patienceNanos);
    }

    /**
     * Calls that leave as one trip; none: nobody leaves.
     *
     * @param calls who leaves, in the order of arrival
     * @param era during which the trip is counted as under way
     */
    record Departure(List<Call> calls, int era) {

        private static final Departure NONE = new Departure(List.of(), 0);
    }

    /** Takes a call in. Returns who leaves now; {@code null} where the lane is closed. */
    @Nullable
    Departure enter(Call call) {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            if (trips > 0 && call.sinceNanos - leftNanos > patienceNanos) {
                giveUpThoseUnderWay();
            }
            if (hasPlace()) {
                return depart(List.of(call), call.sinceNanos);
            }
            if (waiting == null) {
                waiting = new ArrayDeque<>();
            }
            waiting.add(call);
            return trips < MOST_TRIPS ? batch(waiting, call.sinceNanos) : Departure.NONE;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasPlace() {
        return (waiting == null || waiting.isEmpty()) && (calls < MOST_ALONE || trips < MOST_TRIPS);
    }

    /** All have been under way for longer than anybody waits; who knows whether they ever come back. Nobody waits for them. */
    private void giveUpThoseUnderWay() {
        era++;
        trips = 0;
        calls = 0;
    }

    /**
     * A trip has come back. Returns who leaves next: nobody, if nobody waits or others are under way for whom they wait;
     * {@code null} where that closes the lane.
     */
    @Nullable
    Departure next(Departure back, long nowNanos) {
        lock.lock();
        try {
            if (closed) { // without this one, which nobody waited for any more
                return Departure.NONE;
            }
            if (back.era == era) {
                trips--;
                calls -= back.calls.size();
            }
            Departure next = waiting == null || trips >= MOST_TRIPS ? Departure.NONE : batch(waiting, nowNanos);
            closed = trips == 0 && !lasting;
            return closed ? null : next;
        } finally {
            lock.unlock();
        }
    }

    /** Those who have waited longest and not given up. */
    private Departure batch(ArrayDeque<Call> waiting, long nowNanos) {
        List<Call> batch = new ArrayList<>(Math.min(waiting.size(), LARGEST_BATCH));
        while (batch.size() < LARGEST_BATCH && !waiting.isEmpty()) {
            Call call = waiting.remove();
            if (!call.isDone()) {
                batch.add(call);
            }
        }
        return batch.isEmpty() ? Departure.NONE : depart(batch, nowNanos);
    }

    private Departure depart(List<Call> leaving, long nowNanos) {
        leftNanos = nowNanos;
        trips++;
        calls += leaving.size();
        return new Departure(leaving, era);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Lane lane && key.equals(lane.key) && Objects.equals(limit, lane.limit));
    }

    @Override
    public int hashCode() {
        return hash(limit, key);
    }

    static int hash(@Nullable Limit limit, String key) {
        return 31 * Objects.hashCode(limit) + key.hashCode();
    }
}
