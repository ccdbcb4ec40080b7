/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.RateLimiter;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A limit asked from code: what a wrong code took is given back. */
@RestController
class CouponController {

    private static final String LIMIT = "coupons";

    private final RateLimiter limiter;

    CouponController(RateLimiter limiter) {
        this.limiter = limiter;
    }

    @PostMapping("/tenants/{tenantId}/coupons/{code}")
    ResponseEntity<String> redeem(@PathVariable String tenantId, @PathVariable String code) {
        if (!limiter.tryAcquire(LIMIT, tenantId).passes()) {
            return ResponseEntity.status(HttpStatus.CONFLICT).body("no more coupons today");
        }
        if (!code.startsWith("SAVE")) {
            limiter.refund(LIMIT, tenantId, 1);
            return ResponseEntity.status(HttpStatus.NOT_FOUND).body("no such coupon");
        }
        return ResponseEntity.ok("redeemed " + code);
    }
}
