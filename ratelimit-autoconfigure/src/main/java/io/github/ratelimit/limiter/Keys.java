/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.InvalidRateLimitKeyException;
import org.jspecify.annotations.Nullable;

/** Checks what code hands in before anybody is asked. */
final class Keys {

    private Keys() {}

    /** An ask for a limit, if the key is one. */
    static Ask ask(String limit, @Nullable String key, long cost) {
        return new Ask(limit, null, check(limit, key), cost);
    }

    /** The key, if it is one. */
    static String check(String limit, @Nullable String key) {
        if (key == null || key.isBlank()) {
            throw new InvalidRateLimitKeyException(
                    "Limit '%s' was asked from code with a key that is null or blank. Name whom it counts."
                            .formatted(limit));
        }
        return key;
    }
}
