/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.RateLimiter;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A limit waited for from code: the printer takes one invoice a second, and this thread waits for its turn. */
@RestController
class InvoiceController {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final RateLimiter limiter;

    InvoiceController(RateLimiter limiter) {
        this.limiter = limiter;
    }

    @PostMapping("/tenants/{tenantId}/invoices")
    ResponseEntity<String> print(@PathVariable String tenantId) {
        if (!limiter.acquire("invoices", tenantId, 1, PATIENCE).passes()) {
            return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).body("the printer is busy");
        }
        return ResponseEntity.ok("printed for " + tenantId);
    }
}
