/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.actuate;

import io.github.ratelimit.tuning.Numbers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** Numbers as the body of a request states them, read as {@code application.yml} is. */
final class StatedNumbers {

    private StatedNumbers() {}

    static Numbers of(@Nullable String permits, @Nullable String period, @Nullable String burst) {
        if (permits == null && period == null && burst == null) {
            throw new IllegalArgumentException(
                    "The body states no number. State at least one of permits, period and burst, as in {\"permits\": 100}.");
        }
        return new Numbers(whole("permits", permits), duration(period), whole("burst", burst));
    }

    private static @Nullable Long whole(String name, @Nullable String text) {
        try {
            return text == null ? null : Long.valueOf(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " = " + text + " is no whole number.", e);
        }
    }

    private static @Nullable Duration duration(@Nullable String text) {
        try {
            return text == null ? null : DurationStyle.detectAndParse(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "period = " + text + " is no duration. Write it with its unit, as 1m.", e);
        }
    }
}
