/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import java.util.Optional;

/**
 * A target with the figure that was measured: a row of a table.
 *
 * @param what what is compared
 * @param against with whom
 * @param bound at least, or at most, so much
 * @param atLeast which of both
 * @param figure the figure, if it was measured
 */
public record TargetRow(String what, String against, double bound, boolean atLeast, Optional<Figure> figure) {

    /** Against whom, where the bound is one by itself. */
    public static final String NOBODY = "–";

    /** The head of the table. */
    public static final String HEAD = "| target | against | wanted | reached | |\n|---|---|--:|--:|---|";

    /** Whether it was measured, and not reached. */
    public boolean isMissed() {
        return figure.isPresent() && !isReached();
    }

    private boolean isReached() {
        double median = figure.orElseThrow().median();
        return atLeast ? median >= bound : median <= bound;
    }

    /** The row. */
    public String line() {
        String told = figure.map(Figure::withRange).orElse("not measured");
        String verdict = figure.isEmpty() ? "" : isReached() ? "yes" : "**no**";
        return "| %s | %s | %s %s | %s | %s |"
                .formatted(what, against, atLeast ? "≥" : "≤", Figure.number(bound), told, verdict);
    }

    /** The target and how near it came, of one that was missed. */
    public String missed() {
        return "%s%s: %s of %s"
                .formatted(
                        what,
                        against.equals(NOBODY) ? "" : ", against " + against,
                        Figure.number(figure.orElseThrow().median()),
                        Figure.number(bound));
    }
}
