/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import java.time.Duration;
import java.util.Locale;

/** Values as they are written in {@code application.yml}. */
public final class InWords {

    private InWords() {}

    /** {@code token-bucket}, {@code 90s}, {@code 600}. */
    public static String of(Object value) {
        if (value instanceof Duration duration) {
            return duration(duration);
        }
        return value instanceof Enum<?> choice
                ? choice.name().toLowerCase(Locale.ROOT).replace('_', '-')
                : value.toString();
    }

    /** In the largest unit that leaves a whole number. */
    private static String duration(Duration duration) {
        long seconds = duration.toSeconds();
        if (!duration.equals(Duration.ofSeconds(seconds))) {
            boolean wholeMillis = duration.toNanosPart() % 1_000_000 == 0 && Math.abs(seconds) < 1_000_000;
            return wholeMillis ? duration.toMillis() + "ms" : duration.toString();
        }
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        if (seconds % 3_600 != 0) {
            return seconds / 60 + "m";
        }
        return seconds % 86_400 == 0 ? seconds / 86_400 + "d" : seconds / 3_600 + "h";
    }
}
