/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A controller that answers once an hour. */
@RestController
class OneAnHour {

    @GetMapping("/value")
    @RateLimited(name = "value", permits = 1, period = "1h")
    public String value() {
        return "done";
    }
}
