/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import static io.github.ratelimit.Algorithm.TOKEN_BUCKET;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tenants order: each has a bucket of its own, as large as its plan. The numbers are in {@code application.yml}. */
@RestController
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class OrderController {

    @RateLimited(algorithm = TOKEN_BUCKET, key = "#tenantId")
    @PostMapping("/tenants/{tenantId}/orders")
    String create(@PathVariable String tenantId) {
        return "ordered for " + tenantId;
    }
}
