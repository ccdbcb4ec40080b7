/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.docs;

import static io.github.ratelimit.Algorithm.TOKEN_BUCKET;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A slice of an application has no limits, and needs none of what they need. */
@WebMvcTest
class SliceExampleTests {

    @Autowired
    private MockMvc mvc;

    @Autowired
    private ObjectProvider<RateLimiter> limiter;

    @Test
    void aLimitedControllerAnswersAsOftenAsItIsAsked() throws Exception {
        for (int i = 0; i < 10; i++) {
            mvc.perform(get("/tenants/acme/order")).andExpect(content().string("ordered for acme"));
        }
        Assertions.assertThat(limiter.getIfAvailable()).isNull();
    }

    @RestController
    static class OrderController {

        @GetMapping("/tenants/{tenantId}/order")
        @RateLimited(algorithm = TOKEN_BUCKET, permits = 5, period = "1m", key = "#tenantId")
        public String create(@PathVariable String tenantId) {
            return "ordered for " + tenantId;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(OrderController.class)
    static class Application {}
}
