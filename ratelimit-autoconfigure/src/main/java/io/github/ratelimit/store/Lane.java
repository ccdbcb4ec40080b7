/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Limit;
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

    /** While there are fewer calls under way, whoever comes need not wait for them. */
    static final int MOST_ALONE = 4;

    /** So many trips there are when calls wait; the second has as many calls as the first, or more. */
    static final int MOST_TRIPS = 2;

    static final int LARGEST_BATCH = 256;

    private final @Nullable Limit limit;
    private final String key;
    private final boolean lasting;
    private final long longNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ArrayDeque<Call> waiting;
    private int trips;
    private int calls;
    private boolean departing;
    private boolean closed;

    /** Whether some were left behind by those who left, who may leave as well. */
    private volatile boolean cut;

    /** The lane of a key, closed when its last trip is back. Who has waited longer than {@code longNanos} travels apart. */
    Lane(Limit limit, String key, long longNanos) {
        this(limit, key, false, longNanos);
    }

    private Lane(@Nullable Limit limit, String key, boolean lasting, long longNanos) {
        this.limit = limit;
        this.key = key;
        this.lasting = lasting;
        this.longNanos = longNanos;
    }

    /** The lane of many keys, which is never closed. */
    static Lane ofAll(long longNanos) {
        return new Lane(null, "", true, longNanos);
    }

    /** Takes a call in that leaves by itself. Returns who leaves now, as one trip, maybe nobody; {@code null} where the lane is closed. */
    @Nullable
    List<Call> enter(Call call) {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            boolean isAlone = waiting == null || waiting.isEmpty();
            if (isAlone && calls < MOST_ALONE) {
                return depart(List.of(call));
            }
            if (waiting == null) {
                waiting = new ArrayDeque<>();
            }
            waiting.add(call);
            return mayLeaveNow(waiting) ? batch(waiting, call.sinceNanos()) : List.of();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a call in that leaves with others; only into a lane that is never closed. Returns whether those who wait have to
     * {@link #leave} soon: not where they will already, or wait for others to come back.
     */
    boolean queue(Call call) {
        lock.lock();
        try {
            if (waiting == null) {
                waiting = new ArrayDeque<>();
            }
            waiting.add(call);
            if (departing || !mayLeaveNow(waiting)) {
                return false;
            }
            departing = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns who leaves now, as one trip, of those who have come until now. */
    List<Call> leave(long nowNanos) {
        lock.lock();
        try {
            departing = false;
            return waiting != null && mayLeaveNow(waiting) ? batch(waiting, nowNanos) : List.of();
        } finally {
            lock.unlock();
        }
    }

    private boolean mayLeaveNow(ArrayDeque<Call> waiting) {
        return calls < MOST_ALONE || mayLeave(waiting);
    }

    private boolean mayLeave(ArrayDeque<Call> waiting) {
        return trips == 0 || (trips < MOST_TRIPS && waiting.size() >= calls);
    }

    /**
     * A trip of so many calls has come back. Returns who leaves next: nobody, if nobody waits or others are under way for whom
     * they wait; {@code null} where that closes the lane.
     */
    @Nullable
    List<Call> next(int back, long nowNanos) {
        lock.lock();
        try {
            trips--;
            calls -= back;
            List<Call> next = waiting != null && mayLeave(waiting) ? batch(waiting, nowNanos) : List.of();
            closed = trips == 0 && !lasting;
            return closed ? null : next;
        } finally {
            lock.unlock();
        }
    }

    /** Who leaves beside those who have just left: they had room for no more, or have waited for long and the others have not. */
    List<Call> rest(long nowNanos) {
        if (!cut) {
            return List.of();
        }
        lock.lock();
        try {
            cut = false;
            boolean isRoom = calls < MOST_ALONE || trips < MOST_TRIPS;
            return waiting != null && isRoom ? batch(waiting, nowNanos) : List.of();
        } finally {
            lock.unlock();
        }
    }

    /** Those who have waited longest and not given up: who have waited for long, or those who have not. */
    private List<Call> batch(ArrayDeque<Call> waiting, long nowNanos) {
        List<Call> batch = new ArrayList<>(Math.min(waiting.size(), LARGEST_BATCH));
        boolean haveWaitedLong = false;
        for (Call call = waiting.peek(); call != null && batch.size() < LARGEST_BATCH; call = waiting.peek()) {
            boolean hasWaitedLong = nowNanos - call.sinceNanos() > longNanos;
            if (batch.isEmpty()) {
                haveWaitedLong = hasWaitedLong;
            } else if (haveWaitedLong != hasWaitedLong) {
                break;
            }
            waiting.remove();
            if (!call.isDone()) {
                batch.add(call);
            }
        }
        cut = !waiting.isEmpty();
        return batch.isEmpty() ? batch : depart(batch);
    }

    private List<Call> depart(List<Call> leaving) {
        trips++;
        calls += leaving.size();
        return leaving;
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
