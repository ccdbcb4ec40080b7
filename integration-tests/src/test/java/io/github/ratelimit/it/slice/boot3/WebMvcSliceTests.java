/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.slice.boot3;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import io.github.ratelimit.it.slice.SlicedApplication;
import io.github.ratelimit.it.slice.WithLimits;
import io.github.ratelimit.it.slice.WithoutLimits;
import org.junit.jupiter.api.Nested;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.test.context.ContextConfiguration;

/** A slice has no limits, unless it asks for them. */
class WebMvcSliceTests {

    @Nested
    @WebMvcTest(excludeAutoConfiguration = {SecurityAutoConfiguration.class, SecurityFilterAutoConfiguration.class})
    @ContextConfiguration(classes = SlicedApplication.class)
    class Undisturbed implements WithoutLimits {}

    @Nested
    @WebMvcTest(properties = "ratelimit.store=local")
    @ImportAutoConfiguration(
            value = {RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class},
            exclude = {SecurityAutoConfiguration.class, SecurityFilterAutoConfiguration.class})
    @ContextConfiguration(classes = SlicedApplication.class)
    class Limited implements WithLimits {}
}
