/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Limit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a store, by limit and shape.
 *
 * <p>Those asked for lately are found without a name being put together. They may be gone: nobody has a counter in there, and whoever finds
 * none looks whether that is why.
 */
final class Groups {

    /** A power of two. */
    private static final int LATELY = 256;

    private final ConcurrentHashMap<Group.Name, Group> all = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable Group> lately = new AtomicReferenceArray<>(LATELY);

    int size() {
        return all.size();
    }

    /** The group, or {@code null} if no key of the limit has a counter. */
    @Nullable
    Group find(Limit limit) {
        Group recent = lately.get(place(limit));
        return recent != null && recent.isOf(limit) && !recent.isGone() ? recent : findByName(limit);
    }

    private @Nullable Group findByName(Limit limit) {
        Group group = all.get(Group.Name.of(limit));
        if (group != null) {
            askedFor(limit, group);
        }
        return group;
    }

    void askedFor(Limit limit, Group group) {
        lately.set(place(limit), group);
    }

    /** A key's own cell, or {@code null} if it has none. */
    @Nullable
    Cell own(Limit limit, String key) {
        Group group = lately.get(place(limit));
        Cell cell = group != null && group.isOf(limit) ? group.own(key) : null;
        return cell == null ? ownByName(limit, key) : cell;
    }

    private @Nullable Cell ownByName(Limit limit, String key) {
        Group group = find(limit);
        return group == null ? null : group.own(key);
    }

    /** The cell that all keys of a limit and shape share for which there is no room. */
    @Nullable
    Cell shared(Limit limit) {
        Group group = find(limit);
        return group == null ? null : group.shared();
    }

    /** The group, which enters if it has to. At the door. */
    Group enter(Limit limit) {
        return all.computeIfAbsent(Group.Name.of(limit), missing -> new Group(limit));
    }

    /** A cell has left. At the door. */
    void left(Cell cell) {
        if (cell.group.goesWith(cell)) {
            all.remove(cell.group.name);
            for (int place = 0; place < LATELY; place++) {
                lately.compareAndSet(place, cell.group, null);
            }
        }
    }

    private static int place(Limit limit) {
        int hash = limit.hashCode();
        return (hash ^ hash >>> 16) & LATELY - 1;
    }
}
