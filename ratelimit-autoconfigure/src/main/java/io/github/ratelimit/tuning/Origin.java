/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.Limit;

/** Who stated a number, weakest first. */
public enum Origin {
    /** {@code ratelimit.defaults}, or what it is when nobody says anything. */
    DEFAULTS,
    /** The annotation. */
    ANNOTATION,
    /** {@code ratelimit.limits.<name>}. */
    LIMIT,
    /** The override of the limit. */
    OVERRIDE,
    /** {@code ratelimit.limits.<name>.plans.<plan>}. */
    PLAN,
    /** The override of the plan. */
    PLAN_OVERRIDE,
    /** Nobody: a burst that equals the permits. */
    PERMITS;

    /** This origin in words, for a number of this limit. */
    public String of(Limit limit) {
        return switch (this) {
            case DEFAULTS -> "defaults";
            case ANNOTATION -> "annotation";
            case LIMIT -> "limits." + limit.name();
            case OVERRIDE -> "override";
            case PLAN -> "limits." + limit.name() + ".plans." + limit.plan();
            case PLAN_OVERRIDE -> "override of plan " + limit.plan();
            case PERMITS -> "permits";
        };
    }
}
