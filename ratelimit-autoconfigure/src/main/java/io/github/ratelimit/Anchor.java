/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** Where a fixed window begins. */
public enum Anchor {
    /** At whole multiples of the period on the clock (UTC). */
    CLOCK,
    /** At the first grant after the previous window has closed. */
    FIRST_CALL
}
