/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Limit;

/**
 * Whose counter of which limit, and of what shape: a limit that changes its shape begins with new counters.
 *
 * <p>Keys come from callers, who may choose them to collide in {@link #hashCode}: the order keeps a hash table's bin
 * searchable even then. Of a long one only a digest is kept.
 */
record CounterKey(String limit, String shape, String key) implements Comparable<CounterKey> {

    CounterKey(Limit limit, String key) {
        this(limit.name(), limit.shape(), KeyDigest.kept(key));
    }

    /** The counter that all keys of this limit and shape share when there is no room. */
    CounterKey shared() {
        return new CounterKey(limit, shape, Limit.EVERYONE);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * limit.hashCode() + shape.hashCode()) + key.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CounterKey that
                && key.equals(that.key)
                && limit.equals(that.limit)
                && shape.equals(that.shape);
    }

    @Override
    public int compareTo(CounterKey that) {
        int byKey = key.compareTo(that.key);
        int byLimit = byKey == 0 ? limit.compareTo(that.limit) : byKey;
        return byLimit == 0 ? shape.compareTo(that.shape) : byLimit;
    }
}
