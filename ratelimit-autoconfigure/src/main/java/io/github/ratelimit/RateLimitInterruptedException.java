/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** A thread was interrupted while its call was decided or waited. Nothing was taken; the thread's flag is set. */
public final class RateLimitInterruptedException extends RateLimitException {

    private static final long serialVersionUID = 1L;

    /** An exception with the interruption as its cause. */
    public RateLimitInterruptedException(InterruptedException cause) {
        super("Interrupted while waiting for a permit; what was taken is given back", cause);
    }
}
