/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

/** How long calls took, in steps of five per cent. */
final class Histogram {

    private static final double STEP = Math.log(1.05);

    private final long[] counts = new long[600];
    private long calls;

    /** A call that was timed, and stands for so many. */
    void count(long nanos, int calls) {
        int step = (int) (Math.log((double) Math.max(1, nanos)) / STEP);
        counts[Math.min(step, counts.length - 1)]++;
        this.calls += calls;
    }

    void add(Histogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        calls += other.calls;
    }

    long calls() {
        return calls;
    }

    /** How long this part of the calls took at most. */
    double micros(double part) {
        long timed = 0;
        for (long count : counts) {
            timed += count;
        }
        long below = 0;
        for (int i = 0; i < counts.length; i++) {
            below += counts[i];
            if (below >= part * timed) {
                return Math.exp((i + 1) * STEP) / 1e3;
            }
        }
        return 0;
    }
}
