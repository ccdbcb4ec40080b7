/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.RateLimitStoreException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What went wrong between here and Redis. */
final class RedisFailures {

    private static final int DEEPEST_CAUSE = 10;

    private RedisFailures() {}

    /** Whether Redis has only forgotten the script. */
    static boolean isNoScript(@Nullable Throwable failure) {
        return says("NOSCRIPT", failure);
    }

    /** Whether some keys of a call are on their way to another node, and some are not. */
    static boolean isTryAgain(@Nullable Throwable failure) {
        return says("TRYAGAIN", failure);
    }

    /** Whether Redis refused a command with this code. */
    private static boolean says(String code, @Nullable Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < DEEPEST_CAUSE && cause != null; i++) {
            String message = cause.getMessage();
            if (message != null && message.startsWith(code)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** A call that was not sent, since nobody waits for its answer any more. */
    static RateLimitStoreException notSent() {
        return new RateLimitStoreException(
                "Redis cannot answer: no connection in time",
                new TimeoutException("not sent: nobody waits for the answer"));
    }

    /** The failure as the store tells it. */
    static RateLimitStoreException asStoreFailure(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof RateLimitStoreException known) {
            return known;
        }
        return new RateLimitStoreException(
                "Redis cannot answer: "
                        + Objects.requireNonNullElse(
                                cause.getMessage(), cause.getClass().getSimpleName()),
                cause);
    }
}
