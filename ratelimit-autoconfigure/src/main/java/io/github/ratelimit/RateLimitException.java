/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/** The root of this library's exceptions. */
public abstract class RateLimitException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** An exception with a stack trace. */
    protected RateLimitException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** An exception that happens by design, many times a second: without a stack trace. */
    protected RateLimitException(String message) {
        super(message, null, false, false);
    }
}
