/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.benchmarks.Figure;
import io.github.ratelimit.benchmarks.TargetRow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What this library wants to reach.
 *
 * @param what scenario, callers and quantity
 * @param against whom
 * @param bound at least, or at most, so much
 * @param atLeast which of both
 * @param reached the figure
 */
record Target(
        String what,
        String against,
        double bound,
        boolean atLeast,
        Function<OnRedisResults, Optional<Figure>> reached) {

    /** All of them. */
    static List<Target> all() {
        List<Target> all = new ArrayList<>(List.of(
                speed(Scenario.HOT_ALLOWED, Callers.PLATFORM, Bucket4j.BATCHING, 1.5),
                most(Scenario.HOT_ALLOWED, "p99", Bucket4j.BATCHING, 0.7, Measured::p99Micros),
                speed(Scenario.HOT_ALLOWED, Callers.VIRTUAL, Bucket4j.BATCHING, 2.5),
                speed(Scenario.KEYS_ALLOWED, Callers.PLATFORM, Bucket4j.BATCHING, 2),
                speed(Scenario.KEYS_ALLOWED, Callers.VIRTUAL, Bucket4j.BATCHING, 3.3),
                speed(Scenario.KEYS_ALLOWED, Callers.PLATFORM, OnTemplate.GATEWAY, 1.6),
                speed(Scenario.KEYS_ALLOWED, Callers.PLATFORM, Redisson.NAME, 2.5),
                speed(Scenario.KEYS_ALLOWED, Callers.PLATFORM, Floor.SCRIPT, 0.95),
                speed(Scenario.HOT_ALLOWED, Callers.TWO, Floor.SCRIPT, 0.95),
                speed(Scenario.HOT_ALLOWED, Callers.FOUR, Floor.SCRIPT, 0.95),
                most(Scenario.KEYS_ALLOWED, "Redis CPU", OnTemplate.GATEWAY, 0.5, Measured::redisMicros),
                most(Scenario.KEYS_ALLOWED, "Redis CPU", Redisson.NAME, 0.3, Measured::redisMicros)));
        for (Scenario scenario : List.of(Scenario.HOT_DENIED, Scenario.KEYS_DENIED)) {
            for (String ours : List.of(Ours.NAME, Ours.BY_CODE)) {
                all.add(denied(scenario, ours, Bucket4j.SKIPPING, 1.5));
                all.add(denied(scenario, ours, Floor.SCRIPT, 100));
                all.add(new Target(
                        scenario.title() + how(ours) + ", B for each decision",
                        TargetRow.NOBODY,
                        64,
                        false,
                        results -> results.figure(scenario, Callers.PLATFORM, ours, Measured::bytes)));
            }
        }
        all.add(keyBytes(Ours.BUCKET, OnTemplate.GATEWAY, 0.45));
        all.add(keyBytes(Ours.WINDOW, Redisson.NAME, 0.35));
        return all;
    }

    private static Target speed(Scenario scenario, Callers callers, String other, double bound) {
        return new Target(
                scenario.title() + ", " + callers.title(),
                other,
                bound,
                true,
                results -> results.ratio(scenario, callers, Ours.NAME, other, Measured::perSecond));
    }

    private static Target denied(Scenario scenario, String ours, String other, double bound) {
        return new Target(
                scenario.title() + ", " + Callers.PLATFORM.title() + how(ours),
                other,
                bound,
                true,
                results -> results.ratio(scenario, Callers.PLATFORM, ours, other, Measured::perSecond));
    }

    private static String how(String ours) {
        return ours.equals(Ours.NAME) ? "" : ", by code";
    }

    private static Target most(
            Scenario scenario, String what, String other, double bound, ToDoubleFunction<Measured> value) {
        return new Target(
                scenario.title() + ", " + Callers.PLATFORM.title() + ", " + what,
                other,
                bound,
                false,
                results -> results.ratio(scenario, Callers.PLATFORM, Ours.NAME, other, value));
    }

    private static Target keyBytes(String ours, String other, double bound) {
        return new Target(
                "bytes for each key, " + ours.substring(ours.indexOf(": ") + 2),
                other,
                bound,
                false,
                results -> results.bytesRatio(ours, other));
    }

    /** What was found out about those that this run did not reach. */
    static String unreached(OnRedisResults results) {
        Map<Obstacle, List<String>> missed = new EnumMap<>(Obstacle.class);
        for (Target target : all()) {
            TargetRow row = target.row(results);
            if (row.isMissed()) {
                missed.computeIfAbsent(Obstacle.of(target.what), unused -> new ArrayList<>())
                        .add(row.missed());
            }
        }
        StringBuilder text =
                new StringBuilder(missed.isEmpty() ? "" : "\n**Not reached, and what stands before it.**\n");
        missed.forEach((obstacle, targets) -> {
            text.append('\n');
            targets.forEach(target -> text.append("- ").append(target).append('\n'));
            text.append('\n').append(obstacle.text());
        });
        return text.toString();
    }

    /** With what was measured. */
    TargetRow row(OnRedisResults results) {
        return new TargetRow(what, against, bound, atLeast, reached.apply(results));
    }
}
