/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.benchmarks.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The measurements of one run. What is told of them is the median of the rounds; contenders are compared round by round.
 *
 * @param machine what it ran on
 * @param keyBytes what one key takes in Redis, by contender
 * @param all the measurements
 */
record OnRedisResults(String machine, Map<String, Long> keyBytes, List<Measured> all) {

    private static final String MACHINE = "# ";
    private static final String KEY = "# bytes per key, ";

    static OnRedisResults read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        Map<String, Long> bytes = new TreeMap<>();
        List<Measured> all = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith(KEY)) {
                String[] told = line.substring(KEY.length()).split(" = ", 2);
                bytes.put(told[0], Long.valueOf(told[1]));
            } else if (!line.equals(Measured.HEADER)) {
                all.add(Measured.parse(line));
            }
        }
        return new OnRedisResults(lines.get(0).substring(MACHINE.length()), bytes, all);
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(MACHINE + machine));
        keyBytes.forEach((contender, bytes) -> lines.add(KEY + contender + " = " + bytes));
        lines.add(Measured.HEADER);
        all.forEach(measured -> lines.add(measured.line()));
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }

    Set<String> contenders() {
        return all.stream().map(Measured::contender).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** How often such callers were measured. */
    int turns(Callers callers) {
        return all.stream()
                .filter(measured -> measured.callers() == callers)
                .mapToInt(Measured::round)
                .max()
                .orElse(0);
    }

    /** Nothing, where nobody measured it. */
    Optional<Figure> figure(Scenario scenario, Callers callers, String contender, ToDoubleFunction<Measured> value) {
        return Figure.of(
                of(scenario, callers, contender).stream().mapToDouble(value).toArray());
    }

    /** How a contender compares with another in the same round: its value by the other's. */
    Optional<Figure> ratio(
            Scenario scenario, Callers callers, String contender, String other, ToDoubleFunction<Measured> value) {
        return Figure.of(of(scenario, callers, contender).stream()
                .flatMapToDouble(one -> of(scenario, callers, other).stream()
                        .filter(same -> same.round() == one.round())
                        .mapToDouble(same -> value.applyAsDouble(one) / value.applyAsDouble(same)))
                .toArray());
    }

    /** What Redis ran: of each command the medians. */
    Work work(Scenario scenario, Callers callers, String contender) {
        List<Measured> measured = of(scenario, callers, contender);
        Map<String, Work.Each> each = new TreeMap<>();
        measured.stream()
                .flatMap(one -> one.work().commands().keySet().stream())
                .distinct()
                .forEach(command -> each.put(
                        command,
                        new Work.Each(
                                median(measured, command, Work.Each::times),
                                median(measured, command, Work.Each::micros))));
        return new Work(each);
    }

    private static double median(List<Measured> measured, String command, ToDoubleFunction<Work.Each> value) {
        return Figure.of(measured.stream()
                        .flatMap(one -> Stream.ofNullable(one.work().commands().get(command)))
                        .mapToDouble(value)
                        .toArray())
                .map(Figure::median)
                .orElse(0.0);
    }

    Optional<Figure> bytesRatio(String contender, String other) {
        Long ours = keyBytes.get(contender);
        Long theirs = keyBytes.get(other);
        return ours == null || theirs == null ? Optional.empty() : Figure.of((double) ours / theirs);
    }

    private List<Measured> of(Scenario scenario, Callers callers, String contender) {
        return all.stream()
                .filter(measured -> measured.scenario() == scenario
                        && measured.callers() == callers
                        && measured.contender().equals(contender))
                .toList();
    }
}
