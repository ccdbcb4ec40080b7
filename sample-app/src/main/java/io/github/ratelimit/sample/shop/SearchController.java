/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Three limits decided together, all or nothing, and an answer of one's own to a denial. */
@RestController
class SearchController {

    @RateLimited("search")
    @RateLimited(name = "search-by-tenant", key = "#tenantId")
    @RateLimited(name = "search-by-address", key = "#caller.address")
    @GetMapping("/tenants/{tenantId}/search")
    String search(@PathVariable String tenantId) {
        return "found for " + tenantId;
    }

    @ExceptionHandler
    ResponseEntity<String> denied(RateLimitExceededException denial) {
        return ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS)
                .body("too many searches: " + denial.denied().limit());
    }
}
