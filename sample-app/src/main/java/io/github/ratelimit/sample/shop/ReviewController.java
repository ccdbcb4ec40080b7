/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A composite key: every tenant reviews every product, but each product only so often. */
@RestController
class ReviewController {

    @RateLimited(name = "reviews", key = "{#tenantId, #product}")
    @PostMapping("/tenants/{tenantId}/reviews/{product}")
    String review(@PathVariable String tenantId, @PathVariable String product) {
        return "reviewed " + product;
    }
}
