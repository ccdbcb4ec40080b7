/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.util.Collection;

/** A limit has no plan of this name. */
public final class UnknownPlanException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** An exception that names the plans there are. */
    public UnknownPlanException(String limit, String plan, Collection<String> known) {
        super("Limit '%s' has no plan '%s'. It has: %s"
                .formatted(limit, plan, known.isEmpty() ? "none" : String.join(", ", known)));
    }
}
