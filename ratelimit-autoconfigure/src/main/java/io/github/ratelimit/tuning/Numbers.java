/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a plan or an override states; {@code null}: not stated.
 *
 * @param permits how many permits there are per period
 * @param period the period
 * @param burst what a bucket holds
 */
public record Numbers(
        @Nullable Long permits,
        @Nullable Duration period,
        @Nullable Long burst) {

    /** Nothing stated. */
    public static final Numbers NONE = new Numbers(null, null, null);

    /** These numbers, and the weaker ones where these say nothing. */
    public Numbers over(Numbers weaker) {
        return new Numbers(
                permits != null ? permits : weaker.permits,
                period != null ? period : weaker.period,
                burst != null ? burst : weaker.burst);
    }
}
