/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a call wants of one limit, before its numbers are known.
 *
 * @param limit the limit's name
 * @param plan the plan the caller names, or {@code null} to have it found by the key
 * @param key who is counted; empty: one counter for everyone
 * @param cost how many permits
 */
public record Ask(String limit, @Nullable String plan, String key, long cost) {

    /** Checks that there is a limit and a key. */
    public Ask {
        Objects.requireNonNull(limit, "limit");
        Objects.requireNonNull(key, "key");
    }
}
