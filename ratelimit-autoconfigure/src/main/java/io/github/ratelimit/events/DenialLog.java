/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.events;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.RateLimitListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line per limit that denied, at DEBUG. The key is not told. */
public final class DenialLog implements RateLimitListener {

    private static final Logger log = LoggerFactory.getLogger(DenialLog.class);

    @Override
    public void onDecision(Decision decision) {
        if (!log.isDebugEnabled()) {
            return;
        }
        for (Decision part : decision.parts()) {
            if (part instanceof Denied denied) {
                log.debug(
                        "Limit '{}' {}: {}, {} remaining, {}",
                        denied.limit(),
                        denied.definition().shadow() ? "only watches, and would have denied" : "denied",
                        denied.reason(),
                        denied.remaining(),
                        denied.retryAfter() == null ? "no wait helps" : "granted after " + denied.retryAfter());
            }
        }
    }
}
