/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Measures everybody in every scenario, round by round, and writes the page anew. */
public final class OnRedis {

    /** Measurements of one run, in the repository. */
    static final Path RESULTS = root().resolve("docs/measurements/on-redis.csv");

    static final Path PAGE = root().resolve("docs/performance.md");

    /** So many rounds ahead of the counted ones are for the compilers, which find time while others have their turn. */
    private static final int WARM_UP_ROUNDS = 5;

    private OnRedis() {}

    /**
     * How many rounds, and how long everybody calls in each, in milliseconds; then, to look at a part without writing it
     * down, a part of the contender's name and of the scenario's; or {@code page}, to write it as measured.
     *
     * <p>Rounds ahead of them are not counted: in these everything is compiled.
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
        for (Scenario scenario : Scenario.values()) {
            if (scenario.name().contains(where)) {
                for (List<Callers> way : Callers.ways()) {
                    all.addAll(measure(scenario, way, rounds, millis, only));
                }
            }
        }
        if (only.isEmpty() && where.isEmpty()) {
            OnRedisResults results = new OnRedisResults(Machine.describe(), KeyBytes.measure(), all);
            results.write(RESULTS);
            OnRedisPage.rewrite(PAGE, OnRedisResults.read(RESULTS));
        }
        System.exit(0);
    }

    /** Everybody in turn for each kind of callers, so that what disturbs the machine for a while disturbs all alike. */
    private static List<Measured> measure(Scenario scenario, List<Callers> way, int rounds, long millis, String only)
            throws IOException {
        List<Stand> stands = new ArrayList<>();
        try {
            for (Contenders contender : Contenders.values()) {
                if (contender.title().contains(only)) {
                    Stand stand = new Stand(contender, scenario);
                    stands.add(stand);
                    stand.await();
                }
            }
            List<Measured> measured = new ArrayList<>();
            for (int round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
                List<Stand> turns = new ArrayList<>(stands);
                Collections.rotate(turns, round);
                for (Callers callers : way) {
                    for (Stand stand : turns) {
                        if (stand.isFor(callers)) {
                            stand.measure(callers, round, millis).ifPresent(measured::add);
                        }
                    }
                }
            }
            measured.removeIf(each -> each.round() < 1);
            measured.sort(Comparator.comparing(Measured::round)
                    .thenComparing(Measured::callers)
                    .thenComparing(each -> Contenders.place(each.contender())));
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
