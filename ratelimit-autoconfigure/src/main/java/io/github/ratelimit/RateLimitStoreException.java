/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/** The store could not answer. Inside the library it is turned into a decision by the limit's failure policy. */
public final class RateLimitStoreException extends RateLimitException {

    private static final long serialVersionUID = 1L;

    /** An exception with the store's own error as cause. */
    public RateLimitStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
