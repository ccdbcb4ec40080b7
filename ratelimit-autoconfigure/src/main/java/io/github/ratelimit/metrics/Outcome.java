/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.metrics;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.DenialReason;

/** What one limit said to one call, as the metric's tag tells it. */
enum Outcome {
    ALLOWED("allowed"),
    DENIED("denied"),
    SHADOW_DENIED("shadow-denied"),
    UNCOUNTED("uncounted"),
    UNAVAILABLE("unavailable");

    private final String tag;

    Outcome(String tag) {
        this.tag = tag;
    }

    String tag() {
        return tag;
    }

    static Outcome of(Decision part) {
        if (part instanceof Denied denied) {
            if (denied.definition().shadow()) {
                return SHADOW_DENIED;
            }
            return denied.reason() == DenialReason.STORE_UNAVAILABLE ? UNAVAILABLE : DENIED;
        }
        return part instanceof Uncounted ? UNCOUNTED : ALLOWED;
    }
}
