/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import java.util.Locale;

/**
 * What one benchmark measured in one round.
 *
 * @param round the round, from 1
 * @param benchmark class and method
 * @param nanos processor time per operation
 * @param bytes memory allocated per operation
 */
record Measurement(int round, String benchmark, double nanos, double bytes) {

    static final String HEADER = "round,benchmark,nanos,bytes";

    static Measurement parse(String line) {
        String[] cells = line.split(",", -1);
        return new Measurement(
                Integer.parseInt(cells[0]), cells[1], Double.parseDouble(cells[2]), Double.parseDouble(cells[3]));
    }

    String line() {
        return String.format(Locale.ROOT, "%d,%s,%.2f,%.1f", round, benchmark, nanos, bytes);
    }
}
