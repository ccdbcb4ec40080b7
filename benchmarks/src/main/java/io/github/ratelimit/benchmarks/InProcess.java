/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Measures everything that needs no Redis, in rounds, and writes the results and the page that tells them. */
public final class InProcess {

    static final Path RESULTS = Path.of("..", "docs", "measurements", "in-process.csv");
    /** Of several threads at once: a run of its own, since what they wait for is not processor time. */
    static final Path CONTENDED = RESULTS.resolveSibling("contended.csv");

    static final Path PAGE = Path.of("..", "docs", "performance.md");

    private static final List<Class<?>> ONE_THREAD = List.of(GateBenchmark.class, LocalStoreBenchmark.class);
    private static final List<Class<?>> CONTENDED_ALONE = List.of(ContendedStoreBenchmark.class);

    private InProcess() {}

    /** Runs as many rounds as the argument says, or five; behind it {@code contended}, to measure several threads at once. */
    public static void main(String[] arguments) throws RunnerException, IOException {
        int rounds = arguments.length == 0 ? 5 : Integer.parseInt(arguments[0]);
        boolean contended = arguments.length > 1 && arguments[1].equals("contended");
        List<Measurement> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            all.addAll(contended ? measure(round, CONTENDED_ALONE) : measure(round, ONE_THREAD));
            new Results(machine(), all).write(contended ? CONTENDED : RESULTS);
            Files.writeString(
                    PAGE, InProcessPage.with(Results.read(RESULTS), Results.read(CONTENDED), Files.readString(PAGE)));
        }
    }

    private static List<Measurement> measure(int round, List<Class<?>> benchmarks) throws RunnerException {
        var options = new OptionsBuilder().addProfiler(GCProfiler.class).addProfiler(CpuTime.class);
        benchmarks.forEach(benchmark -> options.include(benchmark.getName()));
        List<Measurement> measured = new ArrayList<>();
        for (RunResult result : new Runner(options.build()).run()) {
            String benchmark = result.getParams().getBenchmark();
            measured.add(new Measurement(
                    round,
                    benchmark.substring(InProcess.class.getPackageName().length() + 1),
                    nanos(result),
                    median(result, "gc.alloc.rate.norm")));
        }
        return measured;
    }

    /** Processor time; of several threads, who wait for one another, the time on the clock. */
    private static double nanos(RunResult result) {
        return result.getParams().getThreads() > 1
                ? result.getPrimaryResult().getScore()
                : median(result, CpuTime.RESULT);
    }

    /** Of the iterations of one fork. */
    private static double median(RunResult result, String measure) {
        double[] sorted = result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .flatMap(iteration ->
                        Stream.ofNullable(iteration.getSecondaryResults().get(measure)))
                .mapToDouble(one -> one.getScore())
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }

    private static String machine() {
        return "Java %s, %d processors, %s %s, load %.0f"
                .formatted(
                        Runtime.version().feature(),
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}
