/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.slice.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import io.github.ratelimit.it.slice.Calls;
import io.github.ratelimit.it.slice.SlicedApplication;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration;
import org.springframework.boot.test.autoconfigure.web.reactive.WebFluxTest;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.reactive.server.WebTestClient;

/** A slice has no limits, unless it asks for them. */
class WebFluxSliceTests {

    @Nested
    @WebFluxTest(excludeAutoConfiguration = ReactiveSecurityAutoConfiguration.class)
    @ContextConfiguration(classes = SlicedApplication.class)
    class Undisturbed {

        @Test
        void answersAsOftenAsItIsAsked(@Autowired WebTestClient web, @Autowired ObjectProvider<RateLimiter> limiter)
                throws Exception {
            assertThat(Calls.three(web)).containsOnly(200);
            assertThat(limiter.getIfAvailable()).isNull();
        }
    }

    @Nested
    @WebFluxTest(properties = "ratelimit.store=local")
    @ImportAutoConfiguration(
            value = {RateLimitAutoConfiguration.class, ReactiveRateLimitAutoConfiguration.class},
            exclude = ReactiveSecurityAutoConfiguration.class)
    @ContextConfiguration(classes = SlicedApplication.class)
    class Limited {

        @Test
        void answersWithALimit(@Autowired WebTestClient web) throws Exception {
            assertThat(Calls.three(web)).containsExactly(200, 200, 429);
        }
    }
}
