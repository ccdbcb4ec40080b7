/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.benchmarks.Figure;
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
    static String paragraph(OnRedisResults results) {
        OnPaper paper = new OnPaper(results);
        Optional<Double> redis = paper.cost(Scenario.KEYS_ALLOWED, Measured::redisMicros);
        Optional<Double> jvm = paper.cost(Scenario.KEYS_ALLOWED, Measured::jvmMicros);
        Optional<Double> hot = paper.cost(Scenario.HOT_ALLOWED, Measured::redisMicros);
        Optional<Double> denied = paper.cost(Scenario.KEYS_DENIED, Measured::jvmMicros);
        Long bytes = results.keyBytes().get(Ours.BUCKET);
        if (redis.isEmpty() || jvm.isEmpty() || hot.isEmpty() || denied.isEmpty() || bytes == null) {
            return "";
        }
        Map<String, Double> figures = Map.of(
                "{processes}", Math.ceil(PER_SECOND * redis.orElseThrow() / 1e6 / PLANNED),
                "{redis}", redis.orElseThrow(),
                "{each}", 1e6 / redis.orElseThrow() * PLANNED,
                "{processors}", PER_SECOND / INSTANCES * jvm.orElseThrow() / 1e6 / PLANNED,
                "{jvm}", jvm.orElseThrow(),
                "{hot}", hot.orElseThrow(),
                "{denied}", denied.orElseThrow(),
                "{gigabytes}", bytes * PER_SECOND / 1e9);
        String text = """

                **On paper: 10 million decisions a second from 100 instances.** All allowed, each on another key, with processors planned to 70 %:
                Redis ends first. It takes {redis} µs for each, so one process carries {each} a second, and a cluster needs
                {processes} masters; 10 million keys are {gigabytes} GB. An instance decides 100,000 a second with {processors} processors
                ({jvm} µs for each). To switch on: Redis Cluster, which spreads keys by their names; keys that many call together need nothing, they
                share trips ({hot} µs of Redis for each on one key); denials that still hold do not reach Redis and take {denied} µs of the instance.
                """;
        for (Map.Entry<String, Double> figure : figures.entrySet()) {
            text = text.replace(figure.getKey(), number(figure.getValue()));
        }
        return text;
    }

    private Optional<Double> cost(Scenario scenario, ToDoubleFunction<Measured> value) {
        return results.figure(scenario, Callers.PLATFORM, Ours.NAME, value).map(Figure::median);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 20 ? "%,.0f" : "%.1f", value);
    }
}
