/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A closed loop: each caller calls again as soon as it is answered, for a while. */
final class Load {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Of so many calls one is timed, and of so many where they take so little that looking at the clock would be much of it. */
    private static final int TIMED = 4;

    private static final int TIMED_OF_SHORT = 64;
    private static final long SHORT_NANOS = 2_000;

    /** Who has not answered by then never will. */
    private static final long LONGEST_ANSWER_SECONDS = 20;

    private final Contender contender;
    private final Scenario scenario;
    private final Callers callers;

    Load(Contender contender, Scenario scenario, Callers callers) {
        this.contender = contender;
        this.scenario = scenario;
        this.callers = callers;
    }

    /**
     * Calls for so long, after a time that does not count.
     *
     * @throws TimeoutException if a call without a thread was not answered
     */
    Measured run(int round, ServerWork redis, long warmUpMillis, long millis)
            throws InterruptedException, ExecutionException, TimeoutException {
        ExecutorService threads = callers.start();
        try {
            loop(threads, warmUpMillis);
            long redisBefore = redis.processorMicros();
            Map<String, ServerWork.Command> commandsBefore = redis.commands();
            long jvmBefore = SYSTEM.getProcessCpuTime();
            long bytesBefore = allocated();
            long began = System.nanoTime();
            List<Histogram> loops = loop(threads, millis);
            double seconds = (System.nanoTime() - began) / 1e9;
            double bytes = allocated() - bytesBefore;
            double jvm = (SYSTEM.getProcessCpuTime() - jvmBefore) / 1e3;
            double server = redis.processorMicros() - redisBefore;
            Map<String, ServerWork.Command> commands = ServerWork.between(commandsBefore, redis.commands());
            Histogram all = new Histogram();
            loops.forEach(all::add);
            double calls = all.calls();
            return new Measured(
                    round,
                    scenario,
                    callers,
                    contender.name(),
                    calls / seconds,
                    all.micros(0.50),
                    all.micros(0.99),
                    server / calls,
                    jvm / calls,
                    bytes / calls,
                    Work.of(commands, calls).times(),
                    Work.of(commands, calls));
        } finally {
            threads.shutdown();
        }
    }

    private List<Histogram> loop(ExecutorService threads, long millis)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (callers.isAsync()) {
            return chains(threads, System.nanoTime() + millis * 1_000_000);
        }
        CountDownLatch ready = new CountDownLatch(callers.count());
        AtomicLong end = new AtomicLong(); // one for all: a virtual thread that need not wait lets no other begin
        List<Future<Histogram>> loops = new ArrayList<>();
        for (int i = 0; i < callers.count(); i++) {
            int number = i;
            loops.add(threads.submit(() -> {
                ready.countDown();
                ready.await();
                end.compareAndSet(0, System.nanoTime() + millis * 1_000_000);
                return one(number, end.get());
            }));
        }
        List<Histogram> histograms = new ArrayList<>();
        for (Future<Histogram> loop : loops) {
            histograms.add(loop.get());
        }
        return histograms;
    }

    /** As many calls at once, started by as many threads as there are processors. */
    private List<Histogram> chains(ExecutorService threads, long end)
            throws InterruptedException, ExecutionException, TimeoutException {
        List<Chain> chains = new ArrayList<>();
        List<Future<?>> started = new ArrayList<>();
        for (int i = 0; i < callers.count(); i++) {
            chains.add(new Chain(contender, scenario, i * (scenario.keys() / callers.count() + 1), end));
        }
        int starters = Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < starters; i++) {
            int first = i;
            started.add(threads.submit(() -> {
                for (int chain = first; chain < chains.size(); chain += starters) {
                    chains.get(chain).goOn();
                }
            }));
        }
        for (Future<?> one : started) {
            one.get();
        }
        List<Histogram> histograms = new ArrayList<>();
        for (Chain chain : chains) {
            histograms.add(chain.ended().get(LONGEST_ANSWER_SECONDS, TimeUnit.SECONDS));
        }
        return histograms;
    }

    private Histogram one(int number, long end) {
        Histogram histogram = new Histogram();
        int next = number * (scenario.keys() / callers.count() + 1);
        int timed = TIMED;
        long now = System.nanoTime();
        while (now - end < 0) {
            for (int i = 1; i < timed; i++) {
                contender.decide(scenario.key(next++));
            }
            long called = System.nanoTime();
            contender.decide(scenario.key(next++));
            now = System.nanoTime();
            histogram.count(now - called, timed);
            timed = now - called < SHORT_NANOS ? TIMED_OF_SHORT : TIMED;
        }
        return histogram;
    }

    /** By all threads there are; virtual ones allocate in the name of those that carry them. */
    private static long allocated() {
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }
}
