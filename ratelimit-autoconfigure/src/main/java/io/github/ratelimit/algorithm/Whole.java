/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

/**
 * Division of whole numbers, the divisor positive. Numbers that fit an {@code int}, as nearly all do, are divided as such:
 * many processors take several times as long for a {@code long}, and a decision divides a few times. Of most limits a permit or a microsecond
 * is one tick: that divides nothing.
 */
final class Whole {

    private Whole() {}

    /** The quotient, rounded down. */
    static long floor(long dividend, long divisor) {
        if (divisor == 1) {
            return dividend;
        }
        return areSmall(dividend, divisor) ? (int) dividend / (int) divisor : Math.floorDiv(dividend, divisor);
    }

    /** The quotient, rounded up. */
    static long ceil(long dividend, long divisor) {
        if (divisor == 1) {
            return dividend;
        }
        if (areSmall(dividend, divisor)) {
            int whole = (int) dividend / (int) divisor;
            return whole * (int) divisor == (int) dividend ? whole : whole + 1L;
        }
        return -Math.floorDiv(-dividend, divisor);
    }

    private static boolean areSmall(long dividend, long divisor) {
        return (dividend | divisor) >>> 31 == 0;
    }
}
