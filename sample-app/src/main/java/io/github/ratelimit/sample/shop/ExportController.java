/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.annotation.RateLimited;
import java.util.concurrent.CompletableFuture;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Rather late than refused: an export waits for its permit, and blocks no thread meanwhile. */
@RestController
class ExportController {

    @RateLimited(name = "exports", key = "#tenantId")
    @PostMapping("/tenants/{tenantId}/exports")
    CompletableFuture<String> export(@PathVariable String tenantId) {
        return CompletableFuture.completedFuture("exported for " + tenantId);
    }
}
