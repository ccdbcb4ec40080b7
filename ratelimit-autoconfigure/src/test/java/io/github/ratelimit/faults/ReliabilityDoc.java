/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Writes {@code docs/reliability.md} from what a run of the faults measured. The result of one run is committed beside the
 * tests; {@code -Dfaults.record=true} replaces it, and the page with it.
 */
final class ReliabilityDoc {

    static final Path RESULTS = Path.of("src", "test", "resources", "faults", "results.tsv");
    static final Path PAGE = Path.of("..", "docs", "reliability.md");

    private static final Path LATEST = Path.of("target", "faults");

    private ReliabilityDoc() {}

    /** Keeps what was measured; with {@code -Dfaults.only=…} in place of what was measured of these faults before. */
    static void record(List<Row> rows) throws IOException {
        Files.createDirectories(LATEST);
        Files.write(LATEST.resolve("results.tsv"), rows.stream().map(Row::line).toList());
        if (Boolean.getBoolean("faults.record")) {
            List<Row> all = new ArrayList<>(Files.exists(RESULTS) ? recorded() : List.of());
            all.replaceAll(
                    old -> rows.stream().filter(old::isOfSame).findFirst().orElse(old));
            rows.stream().filter(row -> all.stream().noneMatch(row::isOfSame)).forEach(all::add);
            all.sort(Comparator.comparingInt(ReliabilityDoc::place)
                    .thenComparing(Row::client, Comparator.reverseOrder()));
            Files.write(RESULTS, all.stream().map(Row::line).toList());
            Files.writeString(PAGE, page(all));
        }
    }

    private static int place(Row row) {
        return Stream.of(Fault.values()).map(Fault::title).toList().indexOf(row.title());
    }

    static List<Row> recorded() throws IOException {
        return Files.readAllLines(RESULTS).stream().map(Row::of).toList();
    }

    static String page(List<Row> rows) throws IOException {
        StringBuilder page = new StringBuilder(Files.readString(RESULTS.resolveSibling("head.md")));
        page.append("| fault | client | decisions meanwhile | p50 ms | p99 ms | max ms | cause | warnings, recoveries |"
                + " back after | let through, at most |\n");
        page.append("|---|---|---|--:|--:|--:|---|--:|--:|--:|\n");
        for (Row row : rows) {
            page.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %.2f | %.1f | %d | %s | %d, %d | %s | %d, %d |\n",
                    row.title(),
                    row.client(),
                    row.decisions(),
                    row.p50Micros() / 1_000.0,
                    row.p99Micros() / 1_000.0,
                    row.maxMillis(),
                    row.causes().isEmpty() ? "–" : row.causes().replace(" ", ", "),
                    row.warnings(),
                    row.recoveries(),
                    row.backMillis() == 0
                            ? "at once"
                            : String.format(Locale.ROOT, "%.1f s", row.backMillis() / 1_000.0),
                    row.letThrough(),
                    row.bound()));
        }
        return page.toString();
    }
}
