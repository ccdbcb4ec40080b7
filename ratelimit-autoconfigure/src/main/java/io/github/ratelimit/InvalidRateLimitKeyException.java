/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** A key turned out null or blank: an error of the call, never "no limit". Does not echo the value. */
public final class InvalidRateLimitKeyException extends RateLimitException {

    private static final long serialVersionUID = 1L;

    /** An exception that says where the key came from and how to cure it. */
    public InvalidRateLimitKeyException(String message) {
        super(message);
    }
}
