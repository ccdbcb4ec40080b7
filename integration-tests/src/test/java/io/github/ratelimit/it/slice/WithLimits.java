/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.slice;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

/** A slice that asks for limits. */
public interface WithLimits {

    /** And the denial is a 429. */
    @Test
    default void answersTwice(ApplicationContext slice) throws Exception {
        assertThat(Calls.three(slice)).containsExactly(200, 200, 429);
    }
}
