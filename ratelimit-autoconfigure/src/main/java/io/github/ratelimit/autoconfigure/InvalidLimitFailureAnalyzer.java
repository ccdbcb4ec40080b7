/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.InvalidLimitException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Says which limit is wrong, who stated it and where, and what would be accepted. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class InvalidLimitFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLimitException> {

    private final Environment environment;

    InvalidLimitFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable root, InvalidLimitException mistake) {
        StringBuilder description = new StringBuilder("Limit '%s': %s = %s %s."
                .formatted(mistake.limit(), mistake.attribute(), mistake.value(), mistake.problem()));
        String place = mistake.place();
        if (place != null) {
            description.append("%n%n    Stated in: %s".formatted(place));
            String origin = PropertyOrigins.of(place, environment);
            description.append(origin == null ? "" : "%n    Origin: %s".formatted(origin));
        }
        return new FailureAnalysis(description.toString(), mistake.remedy(), mistake);
    }
}
