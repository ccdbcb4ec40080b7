/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.tuning.SharedNotes;
import org.jspecify.annotations.Nullable;

/** The store that all instances share, opened only where one is wanted, and closed after the door. */
@FunctionalInterface
interface SharedStore extends AutoCloseable {

    /** Opens the store. */
    RateLimitStore open();

    /** What all instances tell each other beside the counters; {@code null}: nothing. */
    default @Nullable SharedNotes notes() {
        return null;
    }

    /** Whether it answered when it was opened. */
    default boolean isPrepared() {
        return true;
    }

    /** Whether calls are kept away from it at this moment. */
    default boolean isAway() {
        return false;
    }

    @Override
    default void close() {}
}
