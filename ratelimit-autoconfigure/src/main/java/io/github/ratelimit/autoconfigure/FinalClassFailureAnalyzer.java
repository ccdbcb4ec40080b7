/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.intercept.FinalClass;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.ClassUtils;

/** Says which limit is in a final class, where Spring says only that it could not make a subclass. */
final class FinalClassFailureAnalyzer extends AbstractFailureAnalyzer<AopConfigException> {

    private static final String WORDS = "Cannot subclass final class ";

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, AopConfigException failure) {
        String said = failure.getCause() == null ? null : failure.getCause().getMessage();
        if (said == null || !said.startsWith(WORDS)) {
            return null;
        }
        try {
            FinalClass.check(ClassUtils.forName(said.substring(WORDS.length()), null));
            return null;
        } catch (InvalidAnnotationException mistake) {
            return new InvalidAnnotationFailureAnalyzer().analyze(root, mistake);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }
}
