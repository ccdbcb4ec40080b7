/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.RateLimitStoreException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** What a store's failed stage says, without the wrapping that stages add. */
final class Failures {

    private Failures() {}

    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        return wrapped && cause != null ? unwrap(cause) : failure;
    }

    /** An exception to throw on the caller's thread. */
    static RuntimeException toThrow(@Nullable Throwable failure) {
        Throwable unwrapped = failure == null ? new IllegalStateException("no cause") : unwrap(failure);
        if (unwrapped instanceof Error error) {
            throw error;
        }
        return unwrapped instanceof RuntimeException runtime
                ? runtime
                : new RateLimitStoreException("The store could not answer", unwrapped);
    }
}
