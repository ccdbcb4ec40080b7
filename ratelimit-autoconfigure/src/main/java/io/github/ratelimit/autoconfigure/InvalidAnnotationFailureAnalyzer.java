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
                "@RateLimited on %s:%n%n    %s = \"%s\"%n%n%s."
                        .formatted(mistake.place(), mistake.attribute(), mistake.value(), mistake.problem()),
                mistake.remedy(),
                mistake);
    }
}
