/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that hold, and who stated each.
 *
 * @param limit the numbers
 * @param stated the same limit with the numbers as they are stated; {@link #limit} has less of them while it follows the load
 * @param algorithm who chose the algorithm
 * @param permits who stated the permits
 * @param period who stated the period
 * @param burst who stated the burst; {@link Origin#PERMITS} where it follows the permits
 * @param adaptive how it follows the load; {@code null}: not at all
 * @param share how much of the stated numbers holds, in millionths
 */
public record EffectiveLimit(
        Limit limit,
        Limit stated,
        Origin algorithm,
        Origin permits,
        Origin period,
        Origin burst,
        @Nullable Adaptive adaptive,
        int share) {

    /** This limit as it follows the load, with this share of its numbers. */
    EffectiveLimit adapted(Adaptive how, int present) {
        return new EffectiveLimit(
                new Shrinking(stated).at(present), stated, algorithm, permits, period, burst, how, present);
    }

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
        if (limit.algorithm().isBucket()) {
            line += ", burst %d (%s)".formatted(limit.burst(), burst.of(limit));
        }
        return adaptive == null ? line : line + ", " + adaptive.describe();
    }
}
