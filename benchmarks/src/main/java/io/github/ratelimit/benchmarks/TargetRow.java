/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A target with the figure that was measured: a row of a table.
 *
 * @param what what is compared
 * @param against with whom
 * @param bound at least, or at most, so much
 * @param atLeast which of both
 * @param figure the figure, if it was measured
 */
public record TargetRow(String what, String against, double bound, boolean atLeast, OptionalDouble figure) {

    /** Against whom, where the bound is one by itself. */
    public static final String NOBODY = "–";

    /** The head of the table. */
    public static final String HEAD = "| target | against | wanted | reached | |\n|---|---|--:|--:|---|";

    /** Whether it was measured, and not reached. */
    public boolean isMissed() {
        return figure.isPresent() && !isReached();
    }

    private boolean isReached() {
        return atLeast ? figure.getAsDouble() >= bound : figure.getAsDouble() <= bound;
    }

    /** The row. */
    public String line() {
        String told = figure.isEmpty() ? "not measured" : number(figure.getAsDouble());
        String verdict = figure.isEmpty() ? "" : isReached() ? "yes" : "**no**";
        return "| %s | %s | %s %s | %s | %s |"
                .formatted(what, against, atLeast ? "≥" : "≤", number(bound), told, verdict);
    }

    /** The target and how near it came, of one that was missed. */
    public String missed() {
        return "%s%s: %s of %s"
                .formatted(
                        what,
                        against.equals(NOBODY) ? "" : ", against " + against,
                        number(figure.orElseThrow()),
                        number(bound));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 20 ? "%.0f" : "%.2f", value);
    }
}
