/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.PerInstanceStore;

/** What a store is called where people see it: {@code redis}, {@code local} (this JVM), {@code own} (the application's). */
final class StoreName {

    private StoreName() {}

    static String of(RateLimitStore store) {
        if (store instanceof PerInstanceStore) {
            return "redis";
        }
        return store instanceof LocalRateLimitStore ? "local" : "own";
    }
}
