/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.InvalidExpressionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which expression is wrong, where it stands, and what to write instead. */
final class InvalidExpressionFailureAnalyzer extends AbstractFailureAnalyzer<InvalidExpressionException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, InvalidExpressionException mistake) {
        return new FailureAnalysis(
                "The expression on %s:%n%n    %s = \"%s\"%n%n%s."
                        .formatted(mistake.place(), mistake.attribute(), mistake.value(), mistake.problem()),
                mistake.remedy(),
                mistake);
    }
}
