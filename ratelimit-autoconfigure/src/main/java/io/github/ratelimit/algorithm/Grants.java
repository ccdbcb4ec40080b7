/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import java.util.Arrays;

/**
 * Grants in the order of time: a ring that grows, each entry an instant and the running total up to and with it. Running
 * totals make both questions of a sliding log a binary search: what is still alive, and when enough of it will be gone.
 *
 * <p>Entries are numbered from 0, the oldest.
 */
final class Grants {

    private static final int FIRST_SIZE = 4;

    private long[] instants = new long[FIRST_SIZE];
    private long[] totals = new long[FIRST_SIZE];
    private int head;
    private int size;
    private long droppedTotal;

    int size() {
        return size;
    }

    long instant(int index) {
        return instants[slot(index)];
    }

    /** How many permits were ever granted before this entry. */
    long totalBefore(int index) {
        return index == 0 ? droppedTotal : totals[slot(index - 1)];
    }

    /** The first entry later than an instant; the size when there is none. */
    int firstAfter(long instant) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (instant(middle) > instant) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The first entry up to which so many permits were ever granted; there is one. */
    int firstReaching(long total) {
        int low = 0;
        int high = size - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (totals[slot(middle)] >= total) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Adds a grant that is not earlier than any other. */
    void add(long instant, long cost) {
        long total = totalBefore(size) + cost;
        if (size == 0 || instant(size - 1) != instant) {
            if (size == instants.length) {
                grow();
            }
            size++;
            instants[slot(size - 1)] = instant;
        }
        totals[slot(size - 1)] = total;
    }

    /** Forgets the oldest entries. */
    void dropFirst(int count) {
        droppedTotal = totalBefore(count);
        head = slot(count);
        size -= count;
    }

    /** Forgets the newest permits: afterwards so many were ever granted. */
    void cutTo(long total) {
        if (total <= droppedTotal) {
            size = 0;
            return;
        }
        size = firstReaching(total) + 1;
        totals[slot(size - 1)] = total;
    }

    /** Forgets permits of one entry, which had at least so many, and the entry if these were all. */
    void cut(int index, long permits) {
        for (int i = index; i < size; i++) {
            totals[slot(i)] -= permits;
        }
        if (totals[slot(index)] == totalBefore(index)) {
            for (int i = index; i < size - 1; i++) {
                instants[slot(i)] = instants[slot(i + 1)];
                totals[slot(i)] = totals[slot(i + 1)];
            }
            size--;
        }
    }

    private void grow() {
        long[] oldInstants = instants;
        long[] oldTotals = totals;
        instants = Arrays.copyOf(unrolled(oldInstants), 2 * size);
        totals = Arrays.copyOf(unrolled(oldTotals), 2 * size);
        head = 0;
    }

    /** A full ring's entries, oldest first. */
    private long[] unrolled(long[] ring) {
        long[] straight = new long[ring.length];
        System.arraycopy(ring, head, straight, 0, ring.length - head);
        System.arraycopy(ring, 0, straight, ring.length - head, head);
        return straight;
    }

    /** Ring sizes are powers of two. */
    private int slot(int index) {
        return (head + index) & (instants.length - 1);
    }
}
