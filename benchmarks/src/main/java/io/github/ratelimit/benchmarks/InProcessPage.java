/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The part of {@code docs/performance.md} that is made of measurements, between two marks. */
final class InProcessPage {

    static final String BARE = "GateBenchmark.bare";

    private static final String LOCAL = "LocalStoreBenchmark.";
    private static final String CONTENDED = "ContendedStoreBenchmark.";
    private static final String OURS = "tokenBucket";

    /** What was found out where a target is missed. */
    private static final String OBSTACLE = """
            The local store finds a counter by limit and key in bounded memory, by numbers that may change
            from one call to the next, and its answer says what remains and until when. resilience4j's limiter is one number without a key,
            and answers yes or no. Kept: one number that is swapped without a lock, a clock that counts nanoseconds and is compared with the
            time of day every millisecond, a table by limit and key for which nothing is put together, and an answer of 40 bytes, all that is made.
            What is left is reading the clock, which is half of it and which resilience4j does too, finding the counter, swapping the number and making
            the answer. Tried, and left: reading the clock ahead of the look for the counter; a small table of the counters asked for lately ahead of that
            look (a tenth less on one key; with more keys than it has places every call would write to it); an answer made without checks, and a
            clock compared by plain numbers: hardly anything each.
            Two threads that meet on one key wait for each other's processor to hand the number over. Kept: whoever is not likely to be denied
            reads it, and what lies beside it, only behind the clock. bucket4j's limiter has no key either, and answers yes or no.""";

    private static final String BEGIN = "<!-- begin: measured in process -->\n";
    private static final String END = "<!-- end: measured in process -->";

    private final Results results;
    private final Results contended;
    private final List<String> lines = new ArrayList<>();

    private InProcessPage(Results results, Results contended) {
        this.results = results;
        this.contended = contended;
    }

    /** The page with the tables that these results make. */
    static String with(Results results, Results contended, String page) {
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        if (begin < BEGIN.length() || end < begin) {
            throw new IllegalArgumentException("The page has no place for what is measured in process: " + BEGIN + END);
        }
        return page.substring(0, begin) + new InProcessPage(results, contended).text() + page.substring(end);
    }

    private String text() {
        lines.add("Rounds: %d. Machine: %s.".formatted(results.rounds(), results.machine()));
        lines.add("");
        targets();
        lines.add(String.format(
                Locale.ROOT,
                "A call through a proxy that does nothing takes %.0f ns and %.0f B. On top of that:",
                results.nanos(BARE),
                results.bytes(BARE)));
        table("one limit", "ns", "B");
        gate("**gate**, no key", "withoutKey");
        gate("**gate**, `#tenantId`", "parameter");
        gate("**gate**, `#order.customer.id`", "path");
        gate("**gate**, `#tenantId + ':' + #order.customer.id`", "spel");
        gate("`@Aspect`, `#tenantId`", "usualAspectParameter");
        gate("`@Aspect`, `#order.customer.id`", "usualAspectPath");
        gate("`@Aspect`, `#tenantId + ':' + #order.customer.id`", "usualAspectSpel");
        gate("**gate** and local store, `#tenantId`", "localParameter");
        gate("`@Aspect` and the same store, `#tenantId`", "usualAspectLocalParameter");
        gate("resilience4j `@RateLimiter`, which has no keys", "resilience4j");
        lines.add("");
        lines.add("Without a gate, one decision in this JVM:");
        table("", "ns", "B");
        store("**token bucket**", "tokenBucket");
        store("**leaky bucket**, unpaced", "leakyBucket");
        store("**fixed window**", "fixedWindow");
        store("**sliding window counter**", "slidingWindowCounter");
        store("**sliding window log**, a million permits", "slidingWindowLog");
        store("**token bucket**, denied", "denied");
        store("Guava `RateLimiter`, no key", "guava");
        store("resilience4j, no key", "resilience4j");
        store("resilience4j, from a map by key", "resilience4jByKey");
        store("bucket4j, no key", "bucket4j");
        store("bucket4j, from a map by key", "bucket4jByKey");
        lines.add("");
        lines.add(
                "Two threads that call one key at once, for each of them, in time on the clock. Rounds: %d. Machine: %s."
                        .formatted(contended.rounds(), contended.machine()));
        table("", "ns", "B");
        contendedRow("**token bucket**", "tokenBucket");
        contendedRow("resilience4j", "resilience4j");
        contendedRow("bucket4j", "bucket4j");
        return String.join("\n", lines) + "\n";
    }

    private void targets() {
        List<TargetRow> targets = List.of(
                new TargetRow(
                        "gate, `#tenantId`, above a bare call",
                        "`@Aspect`, `#tenantId`",
                        0.1,
                        false,
                        Figure.of(aboveBare("parameter") / aboveBare("usualAspectParameter"))),
                new TargetRow(
                        "gate, `#tenantId`, B above a bare call",
                        TargetRow.NOBODY,
                        150,
                        false,
                        Figure.of(results.bytesAbove(BARE, "GateBenchmark.parameter"))),
                faster(results, "local store, one key, one thread, speed", "resilience4j", 1, LOCAL),
                new TargetRow(
                        "local store, one key, one thread, B",
                        TargetRow.NOBODY,
                        40,
                        false,
                        Figure.of(results.bytes(LOCAL + OURS))),
                faster(contended, "local store, two threads on one key, speed", "bucket4j", 2, CONTENDED));
        lines.add(TargetRow.HEAD);
        targets.forEach(target -> lines.add(target.line()));
        lines.add("");
        if (targets.stream().anyMatch(TargetRow::isMissed)) {
            lines.add("**Not reached, and what stands before it.** " + OBSTACLE);
            lines.add("");
        }
    }

    private double aboveBare(String benchmark) {
        return results.nanosAbove(BARE, "GateBenchmark." + benchmark);
    }

    private static TargetRow faster(Results results, String what, String against, double bound, String benchmark) {
        double speed = results.speed(benchmark + OURS, benchmark + against);
        return new TargetRow(what, against, bound, true, Figure.of(speed));
    }

    private void contendedRow(String title, String benchmark) {
        row(title, contended.nanos(CONTENDED + benchmark), contended.bytes(CONTENDED + benchmark));
    }

    private void table(String... columns) {
        lines.add("");
        lines.add("| " + String.join(" | ", columns) + " |");
        lines.add("|---|--:|--:|");
    }

    private void gate(String title, String benchmark) {
        String name = "GateBenchmark." + benchmark;
        row(title, results.nanosAbove(BARE, name), results.bytesAbove(BARE, name));
    }

    private void store(String title, String benchmark) {
        String name = "LocalStoreBenchmark." + benchmark;
        row(title, results.nanos(name), results.bytes(name));
    }

    private void row(String title, double nanos, double bytes) {
        lines.add(String.format(Locale.ROOT, "| %s | %.0f | %.0f |", title, nanos, bytes));
    }
}
