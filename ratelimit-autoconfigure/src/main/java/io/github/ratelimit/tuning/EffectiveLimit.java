/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * @param extras what it has besides, where that is not as usual; a limit that only watches says so first
 */
public record EffectiveLimit(
        Limit limit,
        Limit stated,
        Origin algorithm,
        Origin permits,
        Origin period,
        Origin burst,
        @Nullable Adaptive adaptive,
        int share,
        List<Extra> extras) {

    /** Copies the list. */
    public EffectiveLimit {
        extras = List.copyOf(extras);
    }

    /** This limit as it follows the load, with this share of its numbers. */
    EffectiveLimit adapted(Adaptive how, int present) {
        return new EffectiveLimit(
                new Shrinking(stated).at(present), stated, algorithm, permits, period, burst, how, present, extras);
    }

    /** One line for people: {@code token-bucket (annotation), permits 600 (limits.orders), period 1m (defaults), ...}. */
    public String describe() {
        return describe(null);
    }

    /**
     * The same where calls may say themselves how long they wait.
     *
     * @param maxWait how long the annotation says that calls wait; {@code null}: it leaves that to the limit
     */
    public String describe(@Nullable Duration maxWait) {
        List<String> parts = new ArrayList<>();
        extras.stream().filter(EffectiveLimit::isShadow).map(Extra::text).forEach(parts::add);
        parts.add(numbers());
        if (adaptive != null) {
            parts.add(adaptive.describe());
        }
        extras.stream()
                .filter(extra -> !isShadow(extra))
                .filter(extra -> maxWait == null || !extra.attribute().equals("max-wait"))
                .map(Extra::text)
                .forEach(parts::add);
        if (maxWait != null) {
            parts.add("max-wait %s (annotation)".formatted(InWords.of(maxWait)));
        }
        return String.join(", ", parts);
    }

    private static boolean isShadow(Extra extra) {
        return extra.attribute().equals("shadow");
    }

    private String numbers() {
        String numbers = "%s (%s), permits %d (%s), period %s (%s)"
                .formatted(
                        InWords.of(limit.algorithm()),
                        algorithm.of(limit),
                        limit.permits(),
                        permits.of(limit),
                        InWords.of(limit.period()),
                        period.of(limit));
        return limit.algorithm().isBucket()
                ? numbers + ", burst %d (%s)".formatted(limit.burst(), burst.of(limit))
                : numbers;
    }
}
