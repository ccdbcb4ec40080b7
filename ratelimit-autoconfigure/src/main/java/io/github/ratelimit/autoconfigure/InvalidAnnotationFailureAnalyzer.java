/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.InvalidAnnotationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which annotation is wrong, where it stands, and what to write instead. */
final class InvalidAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidAnnotationException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, InvalidAnnotationException mistake) {
        return new FailureAnalysis(
                "@RateLimited on %s:%n%n    %s%n%n%s.".formatted(mistake.place(), written(mistake), mistake.problem()),
                mistake.remedy(),
                mistake);
    }

    /** An annotation as a whole has no value. */
    private static String written(InvalidAnnotationException mistake) {
        String attribute = mistake.attribute();
        return attribute.startsWith("@") ? attribute : "%s = \"%s\"".formatted(attribute, mistake.value());
    }
}
