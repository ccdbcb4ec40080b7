/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

/** Who keeps the counters. */
public enum StoreKind {
    /** Redis: one count for all instances. */
    REDIS,
    /** This JVM: every instance counts for itself. */
    LOCAL
}
