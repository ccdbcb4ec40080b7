/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Limit;
import java.time.Duration;

/** How long a key may be locked. */
final class Locks {

    private Locks() {}

    static long micros(Limit limit, Duration duration) {
        if (duration.isNegative() || duration.compareTo(Duration.ofDays(31)) > 0) {
            throw new IllegalArgumentException(
                    "Limit '%s': a lock of %s is not between 0 and 31 days.".formatted(limit.name(), duration));
        }
        return (duration.toNanos() + 999) / 1_000;
    }
}
