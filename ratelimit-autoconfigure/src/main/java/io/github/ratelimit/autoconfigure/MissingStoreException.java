/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

/** Redis is to keep the counters, and there is not exactly one way to it. */
final class MissingStoreException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final int factories;

    MissingStoreException(int factories) {
        super("ratelimit.store = redis, and there are " + factories + " Redis connection factories to choose from");
        this.factories = factories;
    }

    int factories() {
        return factories;
    }
}
