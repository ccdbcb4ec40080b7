/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says how to give the limits a store. */
final class MissingStoreFailureAnalyzer extends AbstractFailureAnalyzer<MissingStoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, MissingStoreException missing) {
        return missing.factories().isEmpty()
                ? new FailureAnalysis(
                        "ratelimit.store = redis, and the application has no Redis connection factory.",
                        "Add spring-boot-starter-data-redis and set spring.data.redis.*, or count in this JVM alone with"
                                + " ratelimit.store: local, or switch limits off with ratelimit.enabled: false.",
                        missing)
                : new FailureAnalysis(
                        "ratelimit.store = redis, and the application has "
                                + missing.factories().size()
                                + " Redis connection factories, none of them primary: "
                                + String.join(", ", missing.factories()) + '.',
                        "Mark the one that is to count with @Primary, or declare a RateLimitStore bean of your own.",
                        missing);
    }
}
