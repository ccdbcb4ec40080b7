/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.Limit;
import java.math.BigInteger;

/**
 * A limit's numbers made smaller in one proportion.
 *
 * <p>The permits and the burst of a bucket keep their ratio exactly, so it takes as long to fill as before. Instances
 * that ask for different shares may then use one counter: what one of them has counted, no other gives away.
 */
final class Shrinking {

    /** The share at which the numbers are what was stated. */
    static final int WHOLE = 1_000_000;

    /** Up to here every number is accepted; numbers beyond are left alone. */
    private static final long ALL_ACCEPTED = 1_000_000;

    private final Limit stated;
    private final long parts;

    Shrinking(Limit stated) {
        this.stated = stated;
        this.parts = parts(stated);
    }

    private static long parts(Limit stated) {
        if (stated.permits() > ALL_ACCEPTED || stated.burst() > ALL_ACCEPTED) {
            return 1;
        }
        return BigInteger.valueOf(stated.permits())
                .gcd(BigInteger.valueOf(stated.burst()))
                .longValueExact();
    }

    boolean canShrink() {
        return parts > 1;
    }

    /** The least share that leaves so many permits. */
    int lowestShare(long fewest) {
        long ofOnePart = stated.permits() / parts;
        long fewestParts = Math.max(1, ceil(Math.min(fewest, stated.permits()), ofOnePart));
        return (int) Math.min(WHOLE, ceil(fewestParts * WHOLE, parts));
    }

    /** The limit with this share of its numbers. */
    Limit at(int share) {
        long kept = Math.max(1, parts * share / WHOLE);
        if (kept >= parts) {
            return stated;
        }
        return stated.with()
                .permits(stated.permits() / parts * kept)
                .burst(stated.algorithm().isBucket() ? stated.burst() / parts * kept : null)
                .build();
    }

    private static long ceil(long number, long divisor) {
        return (number + divisor - 1) / divisor;
    }
}
