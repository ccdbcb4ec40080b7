/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import java.time.Duration;

/** How long a key may be locked: 31 days at most. */
public final class Locks {

    private static final Duration LONGEST = Duration.ofDays(31);

    static final long LONGEST_MICROS = LONGEST.toSeconds() * 1_000_000;

    private Locks() {}

    /** A duration in microseconds, rounded up; one that is not accepted is refused by name. */
    public static long micros(Limit limit, Duration duration) {
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("Limit '%s': a lock of %s is not accepted. It lasts from 0 to 31 days."
                    .formatted(limit.name(), duration));
        }
        return (duration.toNanos() + 999) / 1_000;
    }
}
