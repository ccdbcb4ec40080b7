/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;

/** The store that all instances share, opened only where one is wanted, and closed after the door. */
@FunctionalInterface
interface SharedStore extends AutoCloseable {

    /** Opens the store. */
    RateLimitStore open();

    @Override
    default void close() {}
}
