/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** How permits are counted. What each one promises is in {@code docs/algorithms.md}. */
public enum Algorithm {
    /** Counts in windows of the clock, or of the first call; up to twice the permits around an edge. */
    FIXED_WINDOW,
    /** Remembers every grant; never more than the permits in any period. */
    SLIDING_WINDOW_LOG,
    /** Counts in a few slots that slide; a log in constant space, at the price of a slot's precision. */
    SLIDING_WINDOW_COUNTER,
    /** A bucket whose departures are one permit's time apart: smooths traffic. */
    LEAKY_BUCKET,
    /** A bucket that refills steadily and allows a burst. */
    TOKEN_BUCKET;

    /** Whether this is one of the two buckets, whose calls can be reserved ahead of time. */
    public boolean isBucket() {
        return this == LEAKY_BUCKET || this == TOKEN_BUCKET;
    }
}
