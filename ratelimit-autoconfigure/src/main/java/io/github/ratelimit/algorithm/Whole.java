/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

/** Division of whole numbers. */
final class Whole {

    private Whole() {}

    /** The quotient, rounded up; the divisor is positive. */
    static long ceil(long dividend, long divisor) {
        return -Math.floorDiv(-dividend, divisor);
    }
}
