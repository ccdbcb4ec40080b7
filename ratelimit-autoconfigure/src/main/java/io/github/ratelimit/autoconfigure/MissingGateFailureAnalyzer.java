/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says how an application comes to have no gate. */
final class MissingGateFailureAnalyzer extends AbstractFailureAnalyzer<MissingGateException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, MissingGateException missing) {
        return new FailureAnalysis(
                "ratelimit.enabled = true, and the application has no gate before its methods: it was built ahead of time"
                        + " with ratelimit.enabled = false, and every limit would go unlimited.",
                "Build it with ratelimit.enabled: true, and switch limits off when it runs: that is asked again then.",
                missing);
    }
}
