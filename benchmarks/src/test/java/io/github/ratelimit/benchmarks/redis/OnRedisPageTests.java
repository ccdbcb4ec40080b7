/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** {@code docs/performance.md} tells what was measured, and nothing else. */
class OnRedisPageTests {

    @Test
    void theSectionIsMadeOfTheMeasurements() throws IOException {
        String page = Files.readString(OnRedis.PAGE);

        assertThat(page).isEqualTo(OnRedisPage.with(OnRedisResults.read(OnRedis.RESULTS), page));
    }
}
