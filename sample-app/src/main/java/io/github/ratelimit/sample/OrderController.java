/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static io.github.ratelimit.Algorithm.TOKEN_BUCKET;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Every tenant may order so often; the numbers are in {@code application.yml}. */
@RestController
class OrderController {

    @RateLimited(algorithm = TOKEN_BUCKET, key = "#tenantId")
    @GetMapping("/tenants/{tenantId}/order")
    String create(@PathVariable String tenantId) {
        return "ordered for " + tenantId;
    }
}
