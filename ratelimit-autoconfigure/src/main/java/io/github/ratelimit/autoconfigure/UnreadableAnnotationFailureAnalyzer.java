/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.annotation.RateLimited;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.AnnotationConfigurationException;

/** Says which annotation is wrong where Spring cannot even read it: a scan for components comes before the gate. */
final class UnreadableAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<AnnotationConfigurationException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, AnnotationConfigurationException failure) {
        String said = String.valueOf(failure.getMessage());
        return said.contains("[" + RateLimited.class.getName() + "]")
                ? new FailureAnalysis(
                        "@RateLimited cannot be read:%n%n    %s".formatted(said),
                        "State name or value, which mean the same; for several limits repeat @RateLimited.",
                        failure)
                : null;
    }
}
