/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Something to send load to: exactly so many answers of 200 as limit {@code load} has permits, 429 for the rest. */
@RestController
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class LoadController {

    @RateLimited("load")
    @GetMapping("/load")
    String load() {
        return "ok";
    }
}
