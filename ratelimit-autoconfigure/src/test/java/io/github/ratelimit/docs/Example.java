/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.docs;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import io.github.ratelimit.Refill;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An example on a page: a limit in a YAML block, and the table that follows it.
 *
 * @param title where it stands
 * @param settings the lines of the YAML block
 * @param rows the table, column by column
 */
record Example(String title, Map<String, String> settings, List<Map<String, String>> rows) {

    static List<Example> in(List<String> page) {
        List<Example> examples = new ArrayList<>();
        String heading = "";
        Map<String, String> settings = Map.of();
        for (int i = 0; i < page.size(); i++) {
            String line = page.get(i);
            if (line.startsWith("## ")) {
                heading = line.substring(3);
            } else if (line.equals("```yaml")) {
                settings = settings(page, i + 1);
            } else if (line.startsWith("| at µs") && !settings.isEmpty()) {
                examples.add(new Example(heading + " " + settings, settings, table(page, i)));
                settings = Map.of();
            }
        }
        return examples;
    }

    private static Map<String, String> settings(List<String> page, int from) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = from; !page.get(i).equals("```"); i++) {
            String[] pair = page.get(i).split(": ", 2);
            settings.put(pair[0], pair[1]);
        }
        return settings;
    }

    private static List<Map<String, String>> table(List<String> page, int from) {
        List<String> columns = cells(page.get(from));
        List<Map<String, String>> rows = new ArrayList<>();
        for (int i = from + 2; i < page.size() && page.get(i).startsWith("|"); i++) {
            Map<String, String> row = new LinkedHashMap<>();
            List<String> cells = cells(page.get(i));
            for (int column = 0; column < columns.size(); column++) {
                row.put(columns.get(column), cells.get(column));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
                .map(String::trim)
                .toList();
    }

    Limit limit() {
        LimitBuilder limit = Limit.named("example");
        settings.forEach((name, value) -> set(limit, name, value));
        return limit.build();
    }

    long maxWaitMicros() {
        return settings.containsKey("max-wait")
                ? seconds(settings.getOrDefault("max-wait", "")).toMillis() * 1_000
                : 0;
    }

    private static void set(LimitBuilder limit, String name, String value) {
        switch (name) {
            case "algorithm" ->
                limit.algorithm(Algorithm.valueOf(value.replace('-', '_').toUpperCase(Locale.ROOT)));
            case "refill" -> limit.refill(Refill.valueOf(value.toUpperCase(Locale.ROOT)));
            case "permits" -> limit.permits(Long.parseLong(value));
            case "burst" -> limit.burst(Long.parseLong(value));
            case "period" -> limit.period(seconds(value));
            case "slots" -> limit.slots(Integer.parseInt(value));
            case "strict" -> limit.strict(Boolean.parseBoolean(value));
            case "max-wait" -> limit.maxWait(seconds(value));
            default -> throw new IllegalArgumentException("The page uses a setting this test does not know: " + name);
        }
    }

    private static Duration seconds(String value) {
        return Duration.ofSeconds(Long.parseLong(value.substring(0, value.length() - 1)));
    }
}
