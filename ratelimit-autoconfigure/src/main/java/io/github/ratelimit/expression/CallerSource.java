/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import org.jspecify.annotations.Nullable;

/** Finds the caller of the web request that the present thread serves. */
@FunctionalInterface
public interface CallerSource {

    /** The source of an application that serves no web requests. */
    CallerSource NONE = () -> null;

    /** The present caller; null outside a web request. */
    @Nullable
    Caller current();

    /** Told at start, when an expression asks for the caller's principal: where that takes time, it is found beforehand. */
    default void principalAsked() {}
}
