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

    private static final String BEGIN = "<!-- begin: measured in process -->\n";
    private static final String END = "<!-- end: measured in process -->";

    private final Results results;
    private final List<String> lines = new ArrayList<>();

    private InProcessPage(Results results) {
        this.results = results;
    }

    /** The page with the tables that these results make. */
    static String with(Results results, String page) {
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        if (begin < BEGIN.length() || end < begin) {
            throw new IllegalArgumentException("The page has no place for what is measured in process: " + BEGIN + END);
        }
        return page.substring(0, begin) + new InProcessPage(results).text() + page.substring(end);
    }

    private String text() {
        lines.add("Rounds: %d. Machine: %s.".formatted(results.rounds(), results.machine()));
        lines.add("");
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
        return String.join("\n", lines) + "\n";
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
