/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * The measurements of one run: several rounds of the same benchmarks. What is told of them is compared within a round and
 * is the median of the rounds.
 *
 * @param machine what it ran on
 * @param all the measurements
 */
record Results(String machine, List<Measurement> all) {

    private static final String COMMENT = "# ";

    static Results read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return new Results(
                lines.get(0).substring(COMMENT.length()),
                lines.stream().skip(2).map(Measurement::parse).toList());
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(COMMENT + machine, Measurement.HEADER));
        all.forEach(measurement -> lines.add(measurement.line()));
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }

    int rounds() {
        return all.stream().mapToInt(Measurement::round).max().orElse(0);
    }

    /** The processor time of a benchmark. */
    double nanos(String benchmark) {
        return median(benchmark, benchmark, Measurement::nanos, (own, same) -> own);
    }

    /** The processor time of a benchmark above another's. */
    double nanosAbove(String base, String benchmark) {
        return median(benchmark, base, Measurement::nanos, (own, bare) -> own - bare);
    }

    /** How many times as fast a benchmark is as another. */
    double speed(String benchmark, String other) {
        return median(benchmark, other, Measurement::nanos, (own, theirs) -> theirs / own);
    }

    /** The memory a benchmark allocates. */
    double bytes(String benchmark) {
        return median(benchmark, benchmark, Measurement::bytes, (own, same) -> own);
    }

    /** The memory a benchmark allocates above another. */
    double bytesAbove(String base, String benchmark) {
        return median(benchmark, base, Measurement::bytes, (own, bare) -> own - bare);
    }

    private double median(
            String benchmark, String other, ToDoubleFunction<Measurement> value, DoubleBinaryOperator compared) {
        NavigableMap<Integer, Double> ones = byRound(benchmark, value);
        NavigableMap<Integer, Double> others = byRound(other, value);
        double[] sorted = ones.entrySet().stream()
                .mapToDouble(one -> compared.applyAsDouble(one.getValue(), others.getOrDefault(one.getKey(), 0.0)))
                .sorted()
                .toArray();
        if (sorted.length == 0 || !ones.keySet().equals(others.keySet())) {
            throw new IllegalArgumentException("Not measured in the same rounds: " + benchmark + ", " + other);
        }
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    private NavigableMap<Integer, Double> byRound(String benchmark, ToDoubleFunction<Measurement> value) {
        NavigableMap<Integer, Double> rounds = new TreeMap<>();
        for (Measurement measurement : all) {
            if (measurement.benchmark().equals(benchmark)) {
                rounds.put(measurement.round(), value.applyAsDouble(measurement));
            }
        }
        return rounds;
    }
}
