/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** A limit was named that nobody defined. Lists those that are. */
public final class UnknownLimitException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String limit;
    private final transient Collection<String> known;

    /** An exception for this name, with the names that are defined. */
    public UnknownLimitException(String name, Collection<String> known) {
        super("No limit is named '%s'. Define ratelimit.limits.%s, or use one of: %s"
                .formatted(
                        name, name, known.isEmpty() ? "(none is defined)" : String.join(", ", new TreeSet<>(known))));
        this.limit = name;
        this.known = List.copyOf(new TreeSet<>(known));
    }

    /** The name nobody defined. */
    public String limit() {
        return limit;
    }

    /** The names that are defined, sorted. */
    public Collection<String> known() {
        return known;
    }
}
