/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.RateLimitStoreException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What went wrong between here and Redis. */
final class RedisFailures {

    private static final int DEEPEST_CAUSE = 10;

    private RedisFailures() {}

    /** Whether Redis has only forgotten the script. */
    static boolean isNoScript(@Nullable Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < DEEPEST_CAUSE && cause != null; i++) {
            String message = cause.getMessage();
            if (message != null && message.startsWith("NOSCRIPT")) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** The failure as the store tells it. */
    static RateLimitStoreException asStoreFailure(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof RateLimitStoreException known) {
            return known;
        }
        return new RateLimitStoreException("Redis cannot answer: " + cause.getMessage(), cause);
    }
}
