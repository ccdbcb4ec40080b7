/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.util.List;

/** Redis is to keep the counters, and there is not exactly one way to it. */
final class MissingStoreException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> factories;

    MissingStoreException(List<String> factories) {
        super("ratelimit.store = redis, and there are " + factories.size()
                + " Redis connection factories to choose from");
        this.factories = List.copyOf(factories);
    }

    /** The names of the beans. */
    List<String> factories() {
        return factories;
    }
}
