/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.benchmarks.TargetRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The section of {@code docs/performance.md} that is made of the measurements, between two marks. */
final class OnRedisPage {

    private OnRedisPage() {}

    static void rewrite(Path page, OnRedisResults results) throws IOException {
        Files.writeString(page, with(results, Files.readString(page)));
    }

    /** The page with its section as these results have it. */
    static String with(OnRedisResults results, String page) {
        return Section.of("measured on redis").in(page, section(results));
    }

    private static String section(OnRedisResults results) {
        StringBuilder text = new StringBuilder("\n%s; medians of %d rounds, with two and four threads of %d, %s.\n\n"
                .formatted(
                        results.machine(),
                        results.turns(Callers.PLATFORM),
                        results.turns(Callers.FOUR),
                        "which lie between the numbers in brackets"));
        text.append(TargetRow.HEAD).append('\n');
        Target.all().forEach(target -> text.append(target.row(results).line()).append('\n'));
        text.append(Target.unreached(results));
        for (Scenario scenario : Scenario.values()) {
            for (Callers callers : Callers.values()) {
                text.append(table(results, scenario, callers));
            }
        }
        text.append(work(results));
        text.append("\n| bytes for each key after 100 calls | |\n|---|--:|\n");
        results.keyBytes().forEach((contender, bytes) -> text.append("| %s | %d |\n".formatted(contender, bytes)));
        return text.append('\n').toString();
    }

    /** What Redis ran for a decision: its own count of time, which leaves out reading and writing. */
    private static String work(OnRedisResults results) {
        StringBuilder rows = new StringBuilder();
        for (String contender : results.contenders()) {
            Work work = results.work(Scenario.KEYS_ALLOWED, Callers.PLATFORM, contender);
            work.commands()
                    .forEach((command, each) -> rows.append(String.format(
                            Locale.ROOT,
                            "| %s | `%s` | %.2f | %.2f |\n",
                            contender,
                            command.toUpperCase(Locale.ROOT),
                            each.times(),
                            each.micros())));
        }
        return rows.isEmpty()
                ? ""
                : "\n### %s, %s: what Redis runs\n\n"
                                .formatted(capitalized(Scenario.KEYS_ALLOWED.title()), Callers.PLATFORM.title())
                        + "By `INFO commandstats`, for each decision; the time of a script has that of its commands in it.\n\n"
                        + "| | command | times | µs each |\n|---|---|--:|--:|\n"
                        + rows;
    }

    private static String table(OnRedisResults results, Scenario scenario, Callers callers) {
        StringBuilder rows = new StringBuilder();
        for (String contender : results.contenders()) {
            Row row = new Row(results, scenario, callers, contender);
            if (results.figure(scenario, callers, contender, Measured::perSecond)
                    .isPresent()) {
                rows.append("| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n"
                        .formatted(
                                contender.equals(Ours.NAME) ? "**" + contender + "**" : contender,
                                row.value("%,.0f", Measured::perSecond),
                                row.ratio(),
                                row.value("%,.0f", Measured::p50Micros),
                                row.value("%,.0f", Measured::p99Micros),
                                row.value("%.1f", Measured::redisMicros),
                                row.value("%.1f", Measured::jvmMicros),
                                row.value("%,.0f", Measured::bytes),
                                row.value("%.2f", Measured::commands)));
            }
        }
        return rows.isEmpty()
                ? ""
                : "\n### %s, %s\n\n".formatted(capitalized(scenario.title()), callers.title())
                        + "| | decisions/s | relative | p50 µs | p99 µs | Redis µs | JVM µs | B | commands |\n"
                        + "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n" + rows;
    }

    private static String capitalized(String title) {
        return Character.toUpperCase(title.charAt(0)) + title.substring(1);
    }

    private record Row(OnRedisResults results, Scenario scenario, Callers callers, String contender) {

        String value(String format, ToDoubleFunction<Measured> value) {
            return String.format(
                    Locale.ROOT,
                    format,
                    results.figure(scenario, callers, contender, value)
                            .orElseThrow()
                            .median());
        }

        /** Decisions per second, by those of bucket4j with batching. */
        String ratio() {
            return results.ratio(scenario, callers, contender, Bucket4j.BATCHING, Measured::perSecond)
                    .map(ratio -> String.format(Locale.ROOT, "%.2f", ratio.median()))
                    .orElse("");
        }
    }
}
