/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a decision costs Redis where there are many keys, many instances, or many masters; written into the page. */
public final class Scale {

    static final Path RESULTS = OnRedis.RESULTS.resolveSibling("scale.csv");

    private static final int ROUNDS = 3;
    private static final long CLUSTER_KEYS = 30_000;
    private static final long INSTANCES_KEYS = 10_000;

    /** More than runs differ by. */
    private static final double FLAT = 1.2;

    private Scale() {}

    /** The number of keys to end with, and how long to call in each round, in milliseconds; or {@code page}. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("page")) {
            rewrite();
            return;
        }
        long mostKeys = arguments.length > 0 ? Long.parseLong(arguments[0]) : 10_000_000;
        long millis = arguments.length > 1 ? Long.parseLong(arguments[1]) : 2_000;
        List<ScaleResults.Row> rows = new ArrayList<>();
        keys(mostKeys, millis, rows);
        instances(millis, rows);
        masters(millis, rows);
        new ScaleResults(Machine.describe(), rows).write(RESULTS);
        rewrite();
        System.exit(0);
    }

    /** One Redis that is filled up: the costs are compared within one process. Also: how much memory a key takes, in bytes. */
    private static void keys(long mostKeys, long millis, List<ScaleResults.Row> rows) {
        try (RedisServer redis = RedisServer.start();
                ServerWork work = new ServerWork(redis);
                Instance instance = Instance.on(redis.host(), redis.port())) {
            instance.call(1_000, 5_000);
            for (long keys = 1_000; keys <= mostKeys; keys *= 10) {
                redis.flush();
                long empty = work.memory();
                instance.fill(keys);
                long bytes = (work.memory() - empty) / keys;
                instance.settle(keys);
                double[] micros = new double[ROUNDS];
                for (int round = 0; round < ROUNDS; round++) {
                    long before = work.processorMicros();
                    long calls = instance.call(keys, millis);
                    micros[round] = (double) (work.processorMicros() - before) / calls;
                }
                add(rows, ScaleResults.KEYS, keys, median(micros), bytes);
            }
        }
    }

    /** Also: decisions a second of all together. */
    private static void instances(long millis, List<ScaleResults.Row> rows) throws IOException {
        for (int count : List.of(1, 2, 4)) {
            try (RedisServer redis = RedisServer.start();
                    ServerWork work = new ServerWork(redis)) {
                List<Jvm> instances = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    instances.add(Jvm.start(Instance.class, redis.host(), redis.port(), INSTANCES_KEYS, millis));
                }
                for (Jvm instance : instances) {
                    instance.answer(); // it is ready
                }
                long before = work.processorMicros();
                instances.forEach(instance -> instance.tell("call"));
                long calls = 0;
                for (Jvm instance : instances) {
                    calls += Long.parseLong(instance.answer());
                }
                double micros = (double) (work.processorMicros() - before) / calls;
                add(rows, ScaleResults.INSTANCES, count, micros, calls * 1_000 / millis);
                instances.forEach(Jvm::close);
            }
        }
    }

    /** Also: how many of the keys each master has. */
    private static void masters(long millis, List<ScaleResults.Row> rows) {
        try (RedisCluster cluster = RedisCluster.start();
                Instance instance = Instance.onCluster(cluster.addresses())) {
            instance.fill(CLUSTER_KEYS);
            instance.call(CLUSTER_KEYS, 3_000);
            List<ServerWork> works = new ArrayList<>();
            List<Long> before = new ArrayList<>();
            for (RedisServer master : cluster.masters()) {
                works.add(new ServerWork(master));
                before.add(works.get(works.size() - 1).processorMicros());
            }
            long calls = instance.call(CLUSTER_KEYS, millis);
            for (int i = 0; i < works.size(); i++) {
                double micros = (double) (works.get(i).processorMicros() - before.get(i)) / calls;
                add(rows, ScaleResults.MASTERS, i + 1, micros, works.get(i).keys());
                works.get(i).close();
            }
        }
    }

    private static void add(List<ScaleResults.Row> rows, String what, long number, double micros, long also) {
        ScaleResults.Row row = new ScaleResults.Row(what, number, micros, also);
        rows.add(row);
        System.out.println(row.line());
    }

    private static double median(double... values) {
        java.util.Arrays.sort(values);
        return values[values.length / 2];
    }

    static void rewrite() throws IOException {
        Files.writeString(
                OnRedis.PAGE,
                with(ScaleResults.read(RESULTS), OnRedisResults.read(OnRedis.RESULTS), Files.readString(OnRedis.PAGE)));
    }

    /** The page with its section as these results have it; empty before anybody has measured. */
    static String with(ScaleResults scale, OnRedisResults results, String page) {
        String text = scale.rows().isEmpty()
                ? ""
                : "\n" + scale.machine() + ".\n"
                        + table(
                                scale,
                                ScaleResults.KEYS,
                                "| keys | Redis µs for each decision | bytes for each key, all in |")
                        + unreached(scale.of(ScaleResults.KEYS))
                        + table(
                                scale,
                                ScaleResults.INSTANCES,
                                "| instances | Redis µs for each decision | decisions/s together |")
                        + table(
                                scale,
                                ScaleResults.MASTERS,
                                "| master | its µs for each decision of all | its keys of 30,000 |")
                        + OnPaper.paragraph(results, scale)
                        + '\n';
        return Section.of("measured at scale").in(page, text);
    }

    /** Wanted: a decision costs as much with many keys as with few. */
    private static String unreached(List<ScaleResults.Row> keys) {
        ScaleResults.Row few = keys.get(0);
        ScaleResults.Row many = keys.get(keys.size() - 1);
        double times = many.redisMicros() / few.redisMicros();
        return times <= FLAT
                ? ""
                : String.format(
                        Locale.ROOT,
                        "\n**Not reached:** as much with %,d keys as with %,d. It is %.1f times that.\n",
                        many.number(),
                        few.number(),
                        times);
    }

    private static String table(ScaleResults scale, String what, String head) {
        StringBuilder text = new StringBuilder("\n" + head + "\n|--:|--:|--:|\n");
        for (ScaleResults.Row row : scale.of(what)) {
            text.append(
                    String.format(Locale.ROOT, "| %,d | %.2f | %,d |\n", row.number(), row.redisMicros(), row.also()));
        }
        return text.toString();
    }
}
