/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

/** An error reply of a Redis server, such as {@code CROSSSLOT Keys in request don't hash to the same slot}. */
public final class RedisReplyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RedisReplyException(String message) {
        super(message);
    }
}
