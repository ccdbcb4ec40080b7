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

    private Scale() {}

    /** The number of keys to end with, and how long to call in each round, in milliseconds; or {@code page}. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("page")) {
            rewrite();
            return;
        }
        long mostKeys = arguments.length > 0 ? Long.parseLong(arguments[0]) : 10_000_000;
        long millis = arguments.length > 1 ? Long.parseLong(arguments[1]) : 2_000;
        List<String> lines = new ArrayList<>(List.of("# " + Machine.describe(), "what,number,redis_us,also"));
        keys(mostKeys, millis, lines);
        instances(millis, lines);
        masters(millis, lines);
        Files.write(RESULTS, lines);
        rewrite();
        System.exit(0);
    }

    /** One Redis that is filled up: the costs are compared within one process. Also: how much memory a key takes, in bytes. */
    private static void keys(long mostKeys, long millis, List<String> lines) {
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
                add(lines, "keys", keys, median(micros), bytes);
            }
        }
    }

    /** Also: decisions a second of all together. */
    private static void instances(long millis, List<String> lines) throws IOException {
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
                add(lines, "instances", count, micros, calls * 1_000 / millis);
                instances.forEach(Jvm::close);
            }
        }
    }

    /** Also: how many of the keys each master has. */
    private static void masters(long millis, List<String> lines) {
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
                add(lines, "masters", i + 1, micros, works.get(i).keys());
                works.get(i).close();
            }
        }
    }

    private static void add(List<String> lines, String what, long number, double micros, long also) {
        lines.add(String.format(Locale.ROOT, "%s,%d,%.3f,%d", what, number, micros, also));
        System.out.println(lines.get(lines.size() - 1));
    }

    private static double median(double... values) {
        java.util.Arrays.sort(values);
        return values[values.length / 2];
    }

    static void rewrite() throws IOException {
        Files.writeString(OnRedis.PAGE, with(Files.readAllLines(RESULTS), Files.readString(OnRedis.PAGE)));
    }

    /** The page with its section as these lines have it. */
    static String with(List<String> lines, String page) {
        String text = "\n" + lines.get(0).substring(2) + ".\n"
                + table(lines, "keys", "| keys | Redis µs for each decision | bytes for each key, all in |")
                + table(lines, "instances", "| instances | Redis µs for each decision | decisions/s together |")
                + table(lines, "masters", "| master | its µs for each decision of all | its keys of 30,000 |");
        return Section.of("measured at scale").in(page, text + '\n');
    }

    private static String table(List<String> lines, String what, String head) {
        StringBuilder text = new StringBuilder("\n" + head + "\n|--:|--:|--:|\n");
        for (String line : lines) {
            String[] fields = line.split(",", -1);
            if (fields[0].equals(what)) {
                text.append(String.format(
                        Locale.ROOT,
                        "| %,d | %.2f | %,d |\n",
                        Long.parseLong(fields[1]),
                        Double.parseDouble(fields[2]),
                        Long.parseLong(fields[3])));
            }
        }
        return text.toString();
    }
}
