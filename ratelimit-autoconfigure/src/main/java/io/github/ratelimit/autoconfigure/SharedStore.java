/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;

/** The way to the counters that all instances share; opened only when they are wanted. */
@FunctionalInterface
interface SharedStore {

    /** Opens the store. */
    RateLimitStore open();
}
