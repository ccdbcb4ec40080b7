/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.Limit;

/**
 * The numbers that hold, and who stated each.
 *
 * @param limit the numbers
 * @param algorithm who chose the algorithm
 * @param permits who stated the permits
 * @param period who stated the period
 * @param burst who stated the burst; {@link Origin#PERMITS} where it follows the permits
 */
public record EffectiveLimit(Limit limit, Origin algorithm, Origin permits, Origin period, Origin burst) {

    /** One line for people: {@code token-bucket (annotation), 600 permits (limits.orders) per 1m (defaults), ...}. */
    public String describe() {
        String line = "%s (%s), permits %d (%s), period %s (%s)"
                .formatted(
                        InWords.of(limit.algorithm()),
                        algorithm.of(limit),
                        limit.permits(),
                        permits.of(limit),
                        InWords.of(limit.period()),
                        period.of(limit));
        return limit.algorithm().isBucket() ? line + ", burst %d (%s)".formatted(limit.burst(), burst.of(limit)) : line;
    }
}
