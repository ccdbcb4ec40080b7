/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Limit;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one limit and shape, by key: a limit that changes its numbers goes on with them, one that changes its shape
 * begins with new ones.
 *
 * <p>Keys come from callers, who may choose them to collide in {@link String#hashCode}: strings have an order, which keeps a
 * hash table's bin searchable even then.
 */
final class Group {

    /** Whose counters these are. */
    record Name(String limit, String shape) {

        static Name of(Limit limit) {
            return new Name(limit.name(), limit.shape());
        }
    }

    final Name name;
    private final ConcurrentHashMap<String, Cell> own = new ConcurrentHashMap<>(4);

    /** The counter of all keys that found no room; it never leaves. Written at the door. */
    private volatile @Nullable Cell shared;

    /** Whether it has left the store with the last of its counters; there may be another of its limit and shape. Written at the door. */
    private volatile boolean gone;

    Group(Limit limit) {
        this.name = Name.of(limit);
    }

    boolean isOf(Limit limit) {
        return name.limit.equals(limit.name()) && name.shape.equals(limit.shape());
    }

    /** The key's own cell. */
    @Nullable
    Cell own(String key) {
        return own.get(key);
    }

    boolean hasOwn(String key) {
        return own.containsKey(key);
    }

    @Nullable
    Cell shared() {
        return shared;
    }

    void share(Cell cell) {
        shared = cell;
    }

    void add(Cell cell) {
        own.put(cell.key, cell);
    }

    /** A cell has left; with the last one the group has, unless keys share a cell. */
    boolean goesWith(Cell cell) {
        own.remove(cell.key);
        gone = own.isEmpty() && shared == null;
        return gone;
    }

    boolean isGone() {
        return gone;
    }
}
