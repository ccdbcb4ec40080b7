/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.tuning.LimitSettings;
import io.github.ratelimit.tuning.Numbers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Reads what an annotation states, placeholders resolved. */
final class Statements {

    private static final long UNSTATED = -1;
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private final UnaryOperator<String> placeholders;

    Statements(UnaryOperator<String> placeholders) {
        this.placeholders = placeholders;
    }

    String name(RateLimited annotation, AnnotatedPlace place) {
        return text("name", annotation.name(), place);
    }

    String fallback(RateLimited annotation, AnnotatedPlace place) {
        return text("fallback", annotation.fallback(), place);
    }

    /** What is evaluated at each call. */
    List<String> expressions(RateLimited annotation, AnnotatedPlace place) {
        return List.of(
                text("key", annotation.key(), place),
                text("cost", annotation.cost(), place),
                text("condition", annotation.condition(), place),
                text("plan", annotation.plan(), place));
    }

    LimitSettings settings(RateLimited annotation, AnnotatedPlace place) {
        return LimitSettings.of(
                one("algorithm", annotation.algorithm(), place),
                new Numbers(
                        number(annotation.permits()),
                        duration("period", annotation.period(), place),
                        number(annotation.burst())),
                duration("penalty", annotation.penalty(), place),
                one("onStoreFailure", annotation.onStoreFailure(), place));
    }

    @Nullable
    Duration maxWait(RateLimited annotation, AnnotatedPlace place) {
        Duration wait = duration("maxWait", annotation.maxWait(), place);
        if (wait != null && (wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0)) {
            throw new InvalidAnnotationException(
                    place.describe(),
                    "maxWait",
                    text("maxWait", annotation.maxWait(), place),
                    "is not between 0s and 1h",
                    "Write a wait of at most an hour, like 2s.");
        }
        return wait;
    }

    private String text(String attribute, String stated, AnnotatedPlace place) {
        try {
            return placeholders.apply(stated).strip();
        } catch (IllegalArgumentException e) {
            throw new InvalidAnnotationException(
                    place.describe(),
                    attribute,
                    stated,
                    "has a placeholder that cannot be resolved: " + e.getMessage(),
                    "Define the property, or give the placeholder a default: ${name:default}.");
        }
    }

    private static @Nullable Long number(long stated) {
        return stated == UNSTATED ? null : stated;
    }

    private @Nullable Duration duration(String attribute, String stated, AnnotatedPlace place) {
        String text = text(attribute, stated, place);
        if (text.isEmpty()) {
            return null;
        }
        try {
            return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.MILLIS);
        } catch (IllegalArgumentException e) {
            throw new InvalidAnnotationException(
                    place.describe(),
                    attribute,
                    text,
                    "is not a duration",
                    "Write it like 500ms, 10s, 1m, 1h or PT1M.");
        }
    }

    private static <T extends Enum<T>> @Nullable T one(String attribute, T[] stated, AnnotatedPlace place) {
        if (stated.length > 1) {
            throw new InvalidAnnotationException(
                    place.describe(),
                    attribute,
                    Arrays.toString(stated),
                    "states more than one",
                    "State one; for several limits repeat @RateLimited.");
        }
        return stated.length == 0 ? null : stated[0];
    }
}
