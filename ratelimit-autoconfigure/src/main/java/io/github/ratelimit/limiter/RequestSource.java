/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import org.jspecify.annotations.Nullable;

/** Finds the web request that the present thread serves. */
@FunctionalInterface
public interface RequestSource {

    /** The present request; null outside one. */
    @Nullable
    ServedRequest current();
}
