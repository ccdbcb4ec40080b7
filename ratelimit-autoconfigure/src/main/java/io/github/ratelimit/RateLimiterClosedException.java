/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** A call was still waiting for its permits when the application stopped. Nothing was taken. Over HTTP it is a 503. */
public final class RateLimiterClosedException extends RateLimitException {

    private static final long serialVersionUID = 1L;

    /** An exception that says so. */
    public RateLimiterClosedException() {
        super("The application stops: a call that waited for a permit does not go ahead", null);
    }
}
