/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was measured at scale.
 *
 * @param machine what it ran on
 * @param rows the measurements
 */
record ScaleResults(String machine, List<Row> rows) {

    static final String KEYS = "keys";
    static final String INSTANCES = "instances";
    static final String MASTERS = "masters";

    private static final String MACHINE = "# ";
    private static final String HEADER = "what,number,redis_us,also";

    /**
     * One of them.
     *
     * @param what of what there are many
     * @param number how many there are, or which it is
     * @param redisMicros processor time of Redis for each decision
     * @param also of keys the memory of each, of instances the decisions a second of all, of masters the keys each has
     */
    record Row(String what, long number, double redisMicros, long also) {

        private static Row parse(String line) {
            String[] fields = line.split(",", -1);
            return new Row(
                    fields[0], Long.parseLong(fields[1]), Double.parseDouble(fields[2]), Long.parseLong(fields[3]));
        }

        String line() {
            return String.format(Locale.ROOT, "%s,%d,%.3f,%d", what, number, redisMicros, also);
        }
    }

    /** Nothing, where nobody has measured. */
    static ScaleResults read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return new ScaleResults("", List.of());
        }
        List<String> lines = Files.readAllLines(file);
        return new ScaleResults(
                lines.get(0).substring(MACHINE.length()),
                lines.stream().skip(2).map(Row::parse).toList());
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(MACHINE + machine, HEADER));
        rows.forEach(row -> lines.add(row.line()));
        Files.write(file, lines);
    }

    List<Row> of(String what) {
        return rows.stream().filter(row -> row.what().equals(what)).toList();
    }
}
