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

    /** Everybody is started anew so often: compilers make faster code in one JVM than in another. */
    static final int STARTS = 3;

    /** So many rounds after each start are for the compilers, which find time while others have their turn. */
    private static final int WARM_UP_ROUNDS = 4;

    private OnRedis() {}

    /**
     * How many rounds after each start, and how long everybody calls in each, in milliseconds; then, to look at a part without
     * writing it down, a part of the contender's name and of the scenario's; or {@code page}, to write it as measured.
     *
     * <p>Rounds ahead of them are not counted: in these everything is compiled.
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("page")) {
            rewritePage();
            return;
        }
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        long millis = arguments.length > 1 ? Long.parseLong(arguments[1]) : 400;
        String only = arguments.length > 2 ? arguments[2] : "";
        String where = arguments.length > 3 ? arguments[3] : "";
        List<Measured> all = new ArrayList<>();
        for (Scenario scenario : Scenario.values()) {
            if (scenario.name().contains(where)) {
                for (List<Callers> way : Callers.ways()) {
                    for (int start = 0; start < STARTS; start++) {
                        all.addAll(measure(scenario, way, start * rounds, rounds, millis, only));
                    }
                }
            }
        }
        if (only.isEmpty() && where.isEmpty()) {
            OnRedisResults results = new OnRedisResults(Machine.describe(), KeyBytes.measure(), all);
            results.write(RESULTS);
            rewritePage();
        }
        System.exit(0);
    }

    /** What is reckoned at scale is reckoned from these measurements, too. */
    private static void rewritePage() throws IOException {
        OnRedisPage.rewrite(PAGE, OnRedisResults.read(RESULTS));
        Scale.rewrite();
    }

    /** Everybody in turn for each kind of callers, so that what disturbs the machine for a while disturbs all alike. */
    private static List<Measured> measure(
            Scenario scenario, List<Callers> way, int roundsBefore, int rounds, long millis, String only)
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
                Collections.rotate(stands, 1);
                for (Callers callers : way) {
                    List<Measured> turns = turns(stands, callers, roundsBefore + round, millis);
                    if (round >= 1) {
                        measured.addAll(turns);
                    }
                }
            }
            measured.sort(Comparator.comparing(Measured::round)
                    .thenComparing(Measured::callers)
                    .thenComparing(each -> Contenders.place(each.contender())));
            return measured;
        } finally {
            stands.forEach(Stand::close);
        }
    }

    /** All turns of a round. Each turn has a number of its own: contenders are compared within it. */
    private static List<Measured> turns(List<Stand> stands, Callers callers, int round, long millis)
            throws IOException {
        List<Measured> measured = new ArrayList<>();
        for (int turn = 1; turn <= callers.turns(); turn++) {
            int number = (round - 1) * callers.turns() + turn;
            for (Stand stand : stands) {
                if (stand.isFor(callers)) {
                    stand.measure(callers, number, millis).ifPresent(measured::add);
                }
            }
        }
        return measured;
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
