/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.slice.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import io.github.ratelimit.it.slice.Calls;
import io.github.ratelimit.it.slice.SlicedApplication;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.MockMvc;

/** A slice has no limits, unless it asks for them. */
class WebMvcSliceTests {

    @Nested
    @WebMvcTest
    @ContextConfiguration(classes = SlicedApplication.class)
    class Undisturbed {

        @Test
        void answersAsOftenAsItIsAsked(@Autowired MockMvc mvc, @Autowired ObjectProvider<RateLimiter> limiter)
                throws Exception {
            assertThat(Calls.three(mvc)).containsOnly(200);
            assertThat(limiter.getIfAvailable()).isNull();
        }
    }

    @Nested
    @WebMvcTest(properties = "ratelimit.store=local")
    @ImportAutoConfiguration({RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class})
    @ContextConfiguration(classes = SlicedApplication.class)
    class Limited {

        @Test
        void answersWithALimit(@Autowired MockMvc mvc) throws Exception {
            assertThat(Calls.three(mvc)).containsExactly(200, 200, 429);
        }
    }
}
