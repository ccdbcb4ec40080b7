/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class SystemMicrosTests {

    @Test
    void isTheTimeInMicroseconds() {
        SystemMicros clock = new SystemMicros();
        for (int i = 0; i < 100; i++) {
            long before = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            long now = clock.getAsLong();
            long after = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

            assertThat(now).isBetween(before, after);
        }
    }
}
