/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/** Measures everybody in every scenario, round by round, and writes the page anew. */
public final class OnRedis {

    /** Measurements of one run, in the repository. */
    static final Path RESULTS = root().resolve("docs/measurements/on-redis.csv");

    static final Path PAGE = root().resolve("docs/performance.md");

    private static final long WARM_UP_MILLIS = 400;

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
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        long millis = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1_000;
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

    private static List<Measured> measure(int round, Scenario scenario, long millis, String only) throws Exception {
        List<Measured> measured = new ArrayList<>();
        for (BiFunction<RedisServer, Scenario, Contender> contender : CONTENDERS) {
            measured.addAll(measure(round, scenario, contender, millis, only));
        }
        return measured;
    }

    private static List<Measured> measure(
            int round,
            Scenario scenario,
            BiFunction<RedisServer, Scenario, Contender> contender,
            long millis,
            String only)
            throws Exception {
        List<Measured> measured = new ArrayList<>();
        try (RedisServer redis = RedisServer.start();
                ServerWork work = new ServerWork(redis);
                Contender one = contender.apply(redis, scenario)) {
            if (!one.name().contains(only)) {
                return measured;
            }
            for (int i = 0; i < scenario.keys(); i++) {
                one.decide(scenario.key(i));
            }
            for (Callers callers : Callers.values()) {
                boolean few = callers == Callers.TWO || callers == Callers.FOUR;
                if (callers.exist()
                        && (!few || scenario == Scenario.HOT_ALLOWED)
                        && (!callers.isAsync() || one.isAsync())) {
                    try {
                        measured.add(new Load(one, scenario, callers).run(round, work, WARM_UP_MILLIS, millis));
                        System.out.println(measured.get(measured.size() - 1).line());
                    } catch (TimeoutException | ExecutionException unanswered) {
                        System.out.println(one.name() + " did not answer all calls: left out of this round");
                    }
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
