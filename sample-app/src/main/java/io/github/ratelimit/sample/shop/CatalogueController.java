/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.annotation.RateLimitExempt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A limit on trial: it counts all methods of the class but one, and only watches. */
@RestController
@ByAddress("catalogue")
public class CatalogueController {

    /** Watched. */
    @GetMapping("/catalogue")
    public String browse() {
        return "tea, coffee, cocoa";
    }

    /** Not even watched. */
    @RateLimitExempt
    @GetMapping("/catalogue/size")
    public String size() {
        return "3";
    }
}
