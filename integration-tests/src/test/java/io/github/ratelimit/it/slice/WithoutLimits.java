/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.slice;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

/** A slice as it is. */
public interface WithoutLimits {

    /** And there is nothing of the library in it. */
    @Test
    default void answersAsOftenAsItIsAsked(ApplicationContext slice) throws Exception {
        assertThat(Calls.three(slice)).containsOnly(200);
        assertThat(slice.getBeanNamesForType(RateLimiter.class)).isEmpty();
    }
}
