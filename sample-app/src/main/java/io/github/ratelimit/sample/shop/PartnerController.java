/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Counted by API key, of which Redis sees a digest only. Without a key: 400, never unlimited. */
@RestController
class PartnerController {

    @RateLimited(name = "partners", key = "#caller.header('X-Api-Key')")
    @GetMapping("/partners/stock")
    String stock() {
        return "in stock";
    }
}
