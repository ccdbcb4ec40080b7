/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.events;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.RateLimitDeniedEvent;
import io.github.ratelimit.RateLimitListener;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes a denial, if somebody listens. */
public final class DenialEvents implements RateLimitListener {

    private final ApplicationEventPublisher publisher;
    private final Audience audience;

    /** Publishes to this context's listeners. */
    public DenialEvents(ApplicationEventPublisher publisher, Audience audience) {
        this.publisher = publisher;
        this.audience = audience;
    }

    @Override
    public void onDecision(Decision decision) {
        if (decision instanceof Denied denied && audience.isThere()) {
            publisher.publishEvent(new RateLimitDeniedEvent(denied));
        }
    }
}
