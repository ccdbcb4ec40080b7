/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.tuning.InWords;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks of property values, in the constructors of the records that hold them. */
final class Checks {

    private Checks() {}

    static void that(boolean holds, String property, @Nullable Object value, String problem, String remedy) {
        if (!holds) {
            throw new InvalidPropertyException("ratelimit." + property, value, problem, remedy);
        }
    }

    static void between(Duration shortest, Duration longest, String property, Duration value) {
        boolean holds = value.compareTo(shortest) >= 0 && value.compareTo(longest) <= 0;
        String remedy =
                "Use a duration from %s to %s, with its unit.".formatted(InWords.of(shortest), InWords.of(longest));
        that(holds, property, InWords.of(value), "is out of range", remedy);
    }
}
