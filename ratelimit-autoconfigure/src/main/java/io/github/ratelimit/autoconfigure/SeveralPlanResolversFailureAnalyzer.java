/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says which plan resolvers there are. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SeveralPlanResolversFailureAnalyzer extends AbstractFailureAnalyzer<SeveralPlanResolversException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, SeveralPlanResolversException several) {
        return new FailureAnalysis(
                several.getMessage() + ".",
                "Mark the one that is to be asked with @Primary, or let one bean ask the others.",
                several);
    }
}
