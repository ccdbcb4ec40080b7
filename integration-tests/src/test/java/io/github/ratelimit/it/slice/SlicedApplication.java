/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.slice;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The application of which the tests take slices. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(SlicedApplication.OrderController.class)
public class SlicedApplication {

    /** Twice an hour. */
    @RestController
    public static class OrderController {

        /** Orders for a tenant. */
        @GetMapping("/tenants/{tenantId}/order")
        @RateLimited(permits = 2, period = "1h", key = "#tenantId")
        public String create(@PathVariable String tenantId) {
            return "ordered for " + tenantId;
        }
    }
}
