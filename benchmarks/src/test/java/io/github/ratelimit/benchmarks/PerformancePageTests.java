/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code docs/performance.md} tells what was measured, and that is what the page promises. */
class PerformancePageTests {

    @Test
    void tablesAreMadeOfTheMeasurements() throws IOException {
        String page = Files.readString(InProcess.PAGE);

        assertThat(page)
                .isEqualTo(
                        InProcessPage.with(Results.read(InProcess.RESULTS), Results.read(InProcess.CONTENDED), page));
    }

    @ParameterizedTest
    @CsvSource({
        "withoutKey, 70, 150",
        "parameter, 70, 150",
        "path, 100, 150",
        "spel, 600, 600",
        "localParameter, 250, 300"
    })
    void gateCostsNoMoreThanPromised(String benchmark, double nanos, double bytes) throws IOException {
        Results results = Results.read(InProcess.RESULTS);

        assertThat(results.nanosAbove(InProcessPage.BARE, "GateBenchmark." + benchmark))
                .isLessThanOrEqualTo(nanos);
        assertThat(results.bytesAbove(InProcessPage.BARE, "GateBenchmark." + benchmark))
                .isLessThanOrEqualTo(bytes);
    }
}
