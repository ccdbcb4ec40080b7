/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Anchor;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Refill;

/**
 * Whose counter of which limit, and of what shape: a limit that changes its shape begins with new counters.
 *
 * <p>Keys come from callers, who may choose them to collide in {@link #hashCode}: the order keeps a hash table's bin
 * searchable even then.
 */
record CounterKey(String limit, long shape, String key) implements Comparable<CounterKey> {

    CounterKey(Limit limit, String key) {
        this(limit.name(), shape(limit), key);
    }

    /** The counter that all keys of this limit and shape share when there is no room. */
    CounterKey shared() {
        return new CounterKey(limit, shape, Limit.EVERYONE);
    }

    /** What makes a state unreadable for another: the kind, and a window's period and slots, in disjoint bits. */
    private static long shape(Limit limit) {
        return switch (limit.algorithm()) {
            case TOKEN_BUCKET -> limit.refill() == Refill.GREEDY ? 0 : 1;
            case LEAKY_BUCKET -> 2;
            case FIXED_WINDOW -> window(limit, 0, limit.anchor() == Anchor.CLOCK ? 3 : 4);
            case SLIDING_WINDOW_LOG -> window(limit, 0, 5);
            case SLIDING_WINDOW_COUNTER -> window(limit, limit.slots(), limit.strict() ? 6 : 7);
        };
    }

    /** A period is below 2^42 microseconds, slots are at most 1000. */
    private static long window(Limit limit, long slots, long kind) {
        return (limit.periodMicros() << 13) | (slots << 3) | kind;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * limit.hashCode() + Long.hashCode(shape)) + key.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CounterKey that
                && shape == that.shape
                && key.equals(that.key)
                && limit.equals(that.limit);
    }

    @Override
    public int compareTo(CounterKey that) {
        int byKey = key.compareTo(that.key);
        int byLimit = byKey == 0 ? limit.compareTo(that.limit) : byKey;
        return byLimit == 0 ? Long.compare(shape, that.shape) : byLimit;
    }
}
