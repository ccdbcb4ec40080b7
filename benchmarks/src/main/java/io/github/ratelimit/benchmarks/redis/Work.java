/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What Redis ran for a decision.
 *
 * @param commands by name, how often for each decision, and how long each took in microseconds
 */
record Work(Map<String, Each> commands) {

    /**
     * A command.
     *
     * @param times how often for each decision
     * @param micros how long it took, what it called included
     */
    record Each(double times, double micros) {}

    static Work of(Map<String, ServerWork.Command> commands, double decisions) {
        Map<String, Each> each = new TreeMap<>();
        commands.forEach((name, command) -> {
            if (command.calls() / decisions >= 0.005) {
                each.put(name, new Each(command.calls() / decisions, (double) command.micros() / command.calls()));
            }
        });
        return new Work(each);
    }

    /** How many commands that were for each decision, those of scripts included. */
    double times() {
        return commands.values().stream().mapToDouble(Each::times).sum();
    }

    /** As one field of a line. */
    String text() {
        return commands.entrySet().stream()
                .map(command -> String.format(
                        Locale.ROOT,
                        "%s:%.3f:%.3f",
                        command.getKey(),
                        command.getValue().times(),
                        command.getValue().micros()))
                .collect(Collectors.joining(";"));
    }

    static Work parse(String text) {
        Map<String, Each> each = new TreeMap<>();
        for (String command : text.isEmpty() ? new String[0] : text.split(";", -1)) {
            String[] fields = command.split(":", -1);
            each.put(fields[0], new Each(Double.parseDouble(fields[1]), Double.parseDouble(fields[2])));
        }
        return new Work(each);
    }
}
