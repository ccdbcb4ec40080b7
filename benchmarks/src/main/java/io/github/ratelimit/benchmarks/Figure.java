/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What was measured in some rounds.
 *
 * @param median of the rounds
 * @param lowest of them
 * @param highest of them
 */
public record Figure(double median, double lowest, double highest) {

    /** Nothing, where nothing was measured. */
    public static Optional<Figure> of(double... rounds) {
        double[] sorted = Arrays.stream(rounds).sorted().toArray();
        int count = sorted.length;
        return count == 0
                ? Optional.empty()
                : Optional.of(
                        new Figure((sorted[(count - 1) / 2] + sorted[count / 2]) / 2, sorted[0], sorted[count - 1]));
    }

    /** The median, and where the rounds differ, between what they lie. */
    String withRange() {
        return number(median) + (lowest == highest ? "" : " (" + number(lowest) + " to " + number(highest) + ")");
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value >= 20 ? "%.0f" : "%.2f", value);
    }
}
