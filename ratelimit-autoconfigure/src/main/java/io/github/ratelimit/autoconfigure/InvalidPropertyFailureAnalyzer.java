/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Says which property is wrong, where it is written, and what to write instead. Speaks before Boot's own. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class InvalidPropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidPropertyException> {

    private final Environment environment;

    InvalidPropertyFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable root, InvalidPropertyException mistake) {
        String value = mistake.value();
        String origin = PropertyOrigins.of(mistake.property(), environment);
        String description = mistake.property() + (value == null ? " " : " = " + value + " ") + mistake.problem() + ".";
        return new FailureAnalysis(
                description + (origin == null ? "" : "%n%n    Origin: %s".formatted(origin)),
                mistake.remedy(),
                mistake);
    }
}
