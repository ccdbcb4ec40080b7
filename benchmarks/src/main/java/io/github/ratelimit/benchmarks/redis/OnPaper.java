/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.benchmarks.Figure;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What the measured costs come to where many instances call: reckoned, not measured. */
final class OnPaper {

    private static final double PER_SECOND = 10e6;
    private static final int INSTANCES = 100;

    /** How much of a processor one may plan with. */
    private static final double PLANNED = 0.7;

    private final OnRedisResults results;

    private OnPaper(OnRedisResults results) {
        this.results = results;
    }

    /** The paragraph, or nothing where its measurements are missing. */
    static String paragraph(OnRedisResults results, ScaleResults scale) {
        OnPaper paper = new OnPaper(results);
        Optional<Double> alone = paper.cost(Scenario.KEYS_ALLOWED, Ours.TRIP_BY_TRIP, Measured::jvmMicros);
        Optional<Double> hot = paper.cost(Scenario.HOT_ALLOWED, Ours.NAME, Measured::redisMicros);
        Optional<Double> denied = paper.cost(Scenario.KEYS_DENIED, Ours.NAME, Measured::jvmMicros);
        List<ScaleResults.Row> masters = scale.of(ScaleResults.MASTERS);
        List<ScaleResults.Row> keys = scale.of(ScaleResults.KEYS);
        if (alone.isEmpty() || hot.isEmpty() || denied.isEmpty() || masters.isEmpty() || keys.isEmpty()) {
            return "";
        }
        double redis =
                masters.stream().mapToDouble(ScaleResults.Row::redisMicros).sum();
        Map<String, Double> figures = Map.of(
                "{processes}",
                Math.ceil(PER_SECOND * redis / 1e6 / PLANNED),
                "{redis}",
                redis,
                "{each}",
                1e6 / redis * PLANNED,
                "{processors}",
                PER_SECOND / INSTANCES * alone.orElseThrow() / 1e6 / PLANNED,
                "{jvm}",
                alone.orElseThrow(),
                "{hot}",
                hot.orElseThrow(),
                "{denied}",
                denied.orElseThrow(),
                "{gigabytes}",
                keys.get(keys.size() - 1).also() * PER_SECOND / 1e9);
        String text = """

                **On paper: 10 million decisions a second from 100 instances.** All allowed, each on another key, with processors planned to 70 %:
                Redis ends first. In a cluster each of them makes a trip of its own, which takes {redis} µs of the masters together, so one carries {each}
                a second, and {processes} are needed; 10 million keys are {gigabytes} GB, all in. An instance decides 100,000 a second with {processors} processors
                ({jvm} µs for each, trip by trip). To switch on: Redis Cluster, which spreads keys by their names; keys that many call together need nothing, they
                share trips ({hot} µs of Redis for each on one key); denials that still hold do not reach Redis and take {denied} µs of the instance.
                """;
        for (Map.Entry<String, Double> figure : figures.entrySet()) {
            text = text.replace(figure.getKey(), number(figure.getValue()));
        }
        return text;
    }

    private Optional<Double> cost(Scenario scenario, String ours, ToDoubleFunction<Measured> value) {
        return results.figure(scenario, Callers.PLATFORM, ours, value).map(Figure::median);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 20 ? "%,.0f" : "%.1f", value);
    }
}
