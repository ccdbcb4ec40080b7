/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How fast a bucket refills. Only the quotient counts, so a rate over a period that is not accepted is said over one that
 * is: 1 per 1,500 µs as 2 per 3 ms.
 */
record Rate(long permits, long periodMicros) {

    private static final long MILLI = 1_000;
    private static final long LONGEST = Duration.ofDays(31).toNanos() / 1_000;

    static Rate of(JsonNode params) {
        long permits = Json.number(params, "refillTokens");
        long period = Json.number(params, "refillPeriod");
        if (permits < 1 || period < 1) {
            throw new Unsupported("a rate of " + permits + " per " + period + " µs");
        }
        return new Rate(permits, period);
    }

    Limit on(LimitBuilder bucket) {
        Rate accepted = accepted();
        return bucket.permits(accepted.permits)
                .period(Duration.ofMillis(accepted.periodMicros / MILLI))
                .build();
    }

    /** The limit with as large a burst as is accepted. */
    Limit withLargestBurst(LimitBuilder bucket) {
        long ticksPerPermit = periodMicros / gcd(periodMicros, permits);
        for (long burst : List.of(1_000_000_000L, (1L << 53) / ticksPerPermit - 1)) {
            Limit limit = tryOn(bucket.burst(burst));
            if (limit != null) {
                return limit;
            }
        }
        return on(bucket.burst(1_000_000L));
    }

    private @Nullable Limit tryOn(LimitBuilder bucket) {
        try {
            return on(bucket);
        } catch (InvalidLimitException notAccepted) {
            return null;
        }
    }

    private Rate accepted() {
        if (periodMicros % MILLI == 0 && periodMicros <= LONGEST) {
            return this;
        }
        long divisor = gcd(periodMicros, permits);
        long period = periodMicros / divisor;
        long times = MILLI / gcd(period, MILLI);
        return new Rate(permits / divisor * times, period * times);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
