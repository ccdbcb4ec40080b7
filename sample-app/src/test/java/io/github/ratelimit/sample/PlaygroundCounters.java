/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the metrics say of the playground's limits. */
final class PlaygroundCounters {

    /** The limits, in the order in which the page shows them. */
    static final List<String> LIMITS = List.of(
            "playground-fixed-window",
            "playground-sliding-window-log",
            "playground-sliding-window-counter",
            "playground-leaky-bucket",
            "playground-token-bucket");

    private static final Pattern VALUE = Pattern.compile("\"value\":(\\d+)\\.0");

    private PlaygroundCounters() {}

    /** For each limit how many calls were allowed, and how many denied. */
    static long[][] of(Http http) throws IOException, InterruptedException {
        long[][] counters = new long[LIMITS.size()][];
        for (int lane = 0; lane < counters.length; lane++) {
            counters[lane] = new long[] {
                count(http, LIMITS.get(lane), "allowed"), count(http, LIMITS.get(lane), "denied"),
            };
        }
        return counters;
    }

    private static long count(Http http, String limit, String outcome) throws IOException, InterruptedException {
        String meter = "/actuator/metrics/ratelimit.decisions?tag=limit:" + limit + "&tag=outcome:" + outcome;
        Matcher value = VALUE.matcher(http.get(meter).body());
        return value.find() ? Long.parseLong(value.group(1)) : 0;
    }
}
