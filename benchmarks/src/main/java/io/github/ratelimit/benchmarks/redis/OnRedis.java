/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;

/** Measures everybody in every scenario, round by round, and writes the page anew. */
public final class OnRedis {

    /** Measurements of one run, in the repository. */
    static final Path RESULTS = root().resolve("docs/measurements/on-redis.csv");

    static final Path PAGE = root().resolve("docs/performance.md");

    private static final List<BiFunction<RedisServer, Scenario, Contender>> CONTENDERS = List.of(
            Ours::byDefault,
            Ours::byCode,
            Ours::tripByTrip,
            Bucket4j::batching,
            Bucket4j::byDefault,
            Bucket4j::skipping,
            Redisson::new,
            OnTemplate::gateway,
            OnTemplate::increment,
            OnTemplate::sortedSet,
            (redis, scenario) -> Floor.script(redis),
            (redis, scenario) -> Floor.ping(redis));

    private OnRedis() {}

    /**
     * How many rounds, and how long everybody calls in each, in milliseconds; then, to look at a part without writing it
     * down, a part of the contender's name and of the scenario's; or {@code page}, to write it as measured.
     *
     * <p>A round ahead of them is not counted: in it everything is compiled.
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("page")) {
            OnRedisPage.rewrite(PAGE, OnRedisResults.read(RESULTS));
            return;
        }
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 9;
        long millis = arguments.length > 1 ? Long.parseLong(arguments[1]) : 400;
        String only = arguments.length > 2 ? arguments[2] : "";
        String where = arguments.length > 3 ? arguments[3] : "";
        List<Measured> all = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            for (Scenario scenario : Scenario.values()) {
                if (scenario.name().contains(where)) {
                    all.addAll(measure(round, scenario, millis, only));
                }
            }
        }
        all.removeIf(measured -> measured.round() == 0);
        if (only.isEmpty() && where.isEmpty()) {
            OnRedisResults results = new OnRedisResults(Machine.describe(), KeyBytes.measure(), all);
            results.write(RESULTS);
            OnRedisPage.rewrite(PAGE, OnRedisResults.read(RESULTS));
        }
        System.exit(0);
    }

    /** Everybody in turn for each kind of callers, so that what disturbs the machine for a while disturbs all alike. */
    private static List<Measured> measure(int round, Scenario scenario, long millis, String only) throws Exception {
        List<Stand> stands = new ArrayList<>();
        try {
            for (BiFunction<RedisServer, Scenario, Contender> contender : CONTENDERS) {
                stands.add(new Stand(contender, scenario));
            }
            List<String> names = stands.stream().map(Stand::name).toList();
            Collections.rotate(stands, round);
            List<Measured> measured = new ArrayList<>();
            for (Callers callers : Callers.values()) {
                for (Stand stand : stands) {
                    if (stand.name().contains(only) && stand.isFor(callers)) {
                        stand.measure(callers, round, millis).ifPresent(measured::add);
                    }
                }
            }
            measured.sort(
                    Comparator.comparing(Measured::callers).thenComparing(each -> names.indexOf(each.contender())));
            return measured;
        } finally {
            stands.forEach(Stand::close);
        }
    }

    private static Path root() {
        for (Path directory = Path.of("").toAbsolutePath(); directory != null; directory = directory.getParent()) {
            if (Files.isDirectory(directory.resolve("ratelimit-autoconfigure"))) {
                return directory;
            }
        }
        throw new IllegalStateException(
                "To be run inside the repository, not in " + Path.of("").toAbsolutePath());
    }
}
