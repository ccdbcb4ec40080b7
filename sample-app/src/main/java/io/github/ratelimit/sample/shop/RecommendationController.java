/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Instead of a refusal, something that costs nothing. */
@RestController
class RecommendationController {

    @RateLimited(name = "recommendations", key = "#tenantId", fallback = "popular")
    @GetMapping("/tenants/{tenantId}/recommendations")
    String recommend(@PathVariable String tenantId) {
        return "what suits " + tenantId;
    }

    String popular(String tenantId) {
        return "what everybody buys";
    }
}
