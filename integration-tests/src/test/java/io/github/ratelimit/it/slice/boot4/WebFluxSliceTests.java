/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.slice.boot4;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import io.github.ratelimit.it.slice.SlicedApplication;
import io.github.ratelimit.it.slice.WithLimits;
import io.github.ratelimit.it.slice.WithoutLimits;
import org.junit.jupiter.api.Nested;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.test.context.ContextConfiguration;

/** A slice has no limits, unless it asks for them. */
class WebFluxSliceTests {

    @Nested
    @WebFluxTest
    @ContextConfiguration(classes = SlicedApplication.class)
    class Undisturbed implements WithoutLimits {}

    @Nested
    @WebFluxTest(properties = "ratelimit.store=local")
    @ImportAutoConfiguration({RateLimitAutoConfiguration.class, ReactiveRateLimitAutoConfiguration.class})
    @ContextConfiguration(classes = SlicedApplication.class)
    class Limited implements WithLimits {}
}
