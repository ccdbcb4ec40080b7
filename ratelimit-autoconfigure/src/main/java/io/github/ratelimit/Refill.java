/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** How a token bucket gets its permits back. */
public enum Refill {
    /** One permit every period/permits. */
    GREEDY,
    /** All permits of a period at once, at each tick of the clock. */
    INTERVAL
}
