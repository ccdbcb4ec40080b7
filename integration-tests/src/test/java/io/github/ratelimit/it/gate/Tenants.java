/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import org.jspecify.annotations.Nullable;

/** Knows whose call it is by a thread local, as security and tracing do. */
final class Tenants {

    static final String KEY = "tenant";
    static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

    /** Called by expressions. */
    public @Nullable String current() {
        return CURRENT.get();
    }
}
