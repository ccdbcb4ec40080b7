/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import java.time.Duration;

/** How long a call is willing to wait for each of its limits. */
@FunctionalInterface
interface Patience {

    /** A call that is decided now or not at all. */
    Patience NONE = limit -> 0;

    /** The longest wait for this limit, in microseconds. */
    long micros(Limit limit);

    /** A call that says itself how long it waits, whatever its limits say. */
    static Patience stated(Duration maxWait) {
        long micros = check("maxWait", maxWait);
        return micros == 0 ? NONE : limit -> micros;
    }

    /** A call that leaves it to its limits: what each states, else 0, but a paced leaky bucket may delay. */
    static Patience ofTheLimits(Duration leakyBucket) {
        long leakyMicros = check("ratelimit.waiting.leaky-bucket", leakyBucket);
        return limit -> {
            Duration stated = limit.maxWait();
            if (stated != null) {
                return toMicros(stated);
            }
            return limit.paced() ? leakyMicros : 0;
        };
    }

    /** The wait in microseconds, if it is one that may be asked for. */
    static long check(String what, Duration wait) {
        if (wait.isNegative() || wait.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("%s = %s is not accepted. Waits are from 0 s to %s."
                    .formatted(what, wait, Duration.ofNanos(Charge.LONGEST_WAIT_MICROS * 1_000)));
        }
        return toMicros(wait);
    }

    private static long toMicros(Duration wait) {
        return wait.toNanos() / 1_000;
    }
}
