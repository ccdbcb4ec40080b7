/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.events;

import io.github.ratelimit.RateLimitStoreAwayEvent;
import io.github.ratelimit.RateLimitStoreBackEvent;
import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.store.StoreHealth;
import java.time.Duration;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes the beginning and the end of an outage. */
public final class OutageEvents implements StoreHealth {

    private final ApplicationEventPublisher publisher;

    /** Publishes to this context's listeners. */
    public OutageEvents(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void failed(StoreFailure cause) {
        // one failure is no outage
    }

    @Override
    public void away(StoreFailure cause) {
        publisher.publishEvent(new RateLimitStoreAwayEvent(cause.tag()));
    }

    @Override
    public void back(Duration away) {
        publisher.publishEvent(new RateLimitStoreBackEvent(away));
    }
}
