/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on reliability is what a complete run of the faults has measured. */
class ReliabilityDocTests {

    @Test
    void thePageIsWhatTheRunWrote() throws IOException {
        assertThat(Files.readString(ReliabilityDoc.PAGE)).isEqualTo(ReliabilityDoc.page(ReliabilityDoc.recorded()));
    }

    @Test
    void theRunHadEveryFaultThroughBothClients() throws IOException {
        assertThat(ReliabilityDoc.recorded())
                .hasSize(2 * Fault.values().length)
                .extracting(Row::title)
                .contains(Stream.of(Fault.values()).map(Fault::title).toArray(String[]::new));
    }
}
