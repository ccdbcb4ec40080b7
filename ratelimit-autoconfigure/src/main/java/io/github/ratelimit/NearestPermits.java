/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The accepted number of permits closest to a refused one.
 *
 * <p>Beyond a million, a bucket's permits are accepted by the divisor they share with the period: the larger it is, the
 * fewer ticks a permit takes. So the nearest one is, for some divisor of the period, the multiple just below or just
 * above the refused number, or the largest multiple with which a burst of as many permits can still be counted.
 */
final class NearestPermits {

    private final long refused;
    private final LongPredicate accepted;
    private long nearest;

    private NearestPermits(long refused, LongPredicate accepted, long known) {
        this.refused = refused;
        this.accepted = accepted;
        this.nearest = known;
    }

    /**
     * The number, the smaller one of two equally close.
     *
     * @param known a number that is accepted anyway
     * @param exact what the ticks of a full bucket have to stay below
     */
    static long to(long refused, long periodMicros, long known, long exact, LongPredicate accepted) {
        NearestPermits search = new NearestPermits(refused, accepted, known);
        long most = (exact - 1) / periodMicros;
        for (long divisor : divisors(periodMicros)) {
            search.consider(refused / divisor * divisor);
            search.consider((refused / divisor + 1) * divisor);
            search.consider(most * divisor);
        }
        return search.nearest;
    }

    private void consider(long number) {
        long distance = Math.abs(number - refused);
        long best = Math.abs(nearest - refused);
        if ((distance < best || (distance == best && number < nearest)) && accepted.test(number)) {
            nearest = number;
        }
    }

    private static List<Long> divisors(long number) {
        List<Long> divisors = new ArrayList<>();
        for (long small = 1; small * small <= number; small++) {
            if (number % small == 0) {
                divisors.add(small);
                divisors.add(number / small);
            }
        }
        return divisors;
    }
}
