/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.ReactiveRateLimiter;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A limit asked from reactive code: what exceeds it is put off. No thread is blocked. */
@RestController
class NewsletterController {

    private final ReactiveRateLimiter limiter;

    NewsletterController(ReactiveRateLimiter limiter) {
        this.limiter = limiter;
    }

    @PostMapping("/tenants/{tenantId}/newsletters")
    Mono<String> send(@PathVariable String tenantId) {
        return limiter.tryAcquire("newsletters", tenantId)
                .map(decision -> decision.passes() ? "sent for " + tenantId : "put off until tomorrow");
    }
}
