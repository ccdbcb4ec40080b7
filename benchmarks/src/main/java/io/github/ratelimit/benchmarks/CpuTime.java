/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The processor time of the measuring threads per operation: unlike the time on the clock it does not grow when the
 * machine has other things to do. {@code -prof io.github.ratelimit.benchmarks.CpuTime}
 */
public final class CpuTime implements InternalProfiler {

    static final String RESULT = "cpu.time.norm";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long before;

    @Override
    public String getDescription() {
        return "processor time per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = workersNanos();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double nanos = workersNanos() - before;
        long operations = result.getMetadata().getMeasuredOps();
        return List.of(new ScalarResult(RESULT, nanos / operations, "ns/op", AggregationPolicy.AVG));
    }

    private long workersNanos() {
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            @Nullable ThreadInfo thread = threads.getThreadInfo(id);
            if (thread != null && thread.getThreadName().contains("-jmh-worker-")) {
                sum += Math.max(0, threads.getThreadCpuTime(id));
            }
        }
        return sum;
    }
}
