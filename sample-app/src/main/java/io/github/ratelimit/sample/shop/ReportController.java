/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import static io.github.ratelimit.Algorithm.SLIDING_WINDOW_COUNTER;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A report costs what its size costs; a preview costs nothing. */
@RestController
class ReportController {

    @RateLimited(
            name = "reports",
            algorithm = SLIDING_WINDOW_COUNTER,
            key = "#tenantId",
            cost = "@reportPrices.permitsFor(#rows)",
            condition = "!#preview",
            plan = "@reportPrices.planOf(#tenantId)")
    @GetMapping("/tenants/{tenantId}/report")
    String report(
            @PathVariable String tenantId,
            @RequestParam(defaultValue = "100") int rows,
            @RequestParam(defaultValue = "false") boolean preview) {
        return (preview ? "a preview" : rows + " rows") + " for " + tenantId;
    }
}
