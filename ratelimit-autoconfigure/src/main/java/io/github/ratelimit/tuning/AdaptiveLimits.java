/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.OwnThreads;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the limits that are {@link Adaptive} follow the load of this instance.
 *
 * <p>The load is read every second and judged every {@link #READINGS} readings by their mean, so a peak of a moment
 * changes nothing and every change is given time to show. Above a limit's high mark its share of the stated numbers is
 * halved, below the low mark it grows by a tenth of the whole, between both it stays.
 *
 * <p>Has a thread only while there is an adaptive limit. What it does is this instance's own: nobody else is told.
 */
public final class AdaptiveLimits implements AutoCloseable {

    /** How many readings are judged together. */
    static final int READINGS = 5;

    private static final Duration BETWEEN_READINGS = Duration.ofSeconds(1);
    private static final int STEP = Shrinking.WHOLE / 10;

    private static final Logger log = LoggerFactory.getLogger(AdaptiveLimits.class);

    private final ReentrantLock starting = new ReentrantLock();
    private final ThreadFactory threads = new OwnThreads("ratelimit-adaptive");
    private final DefinitionsInForce definitions;
    private final CpuLoad cpu;
    private volatile @Nullable Thread reader;

    private int readings;
    private int known;
    private double sum;
    private boolean warned;

    /** Follows this load. */
    public AdaptiveLimits(LimitCatalog catalog, CpuLoad cpu) {
        this.definitions = catalog.definitions();
        this.cpu = cpu;
    }

    /** Begins to read the load, if any limit follows it and nobody reads it yet. */
    public void start() {
        starting.lock();
        try {
            if (reader == null && !definitions.adaptive().isEmpty()) {
                Thread thread = threads.newThread(this::readOnAndOn);
                reader = thread;
                thread.start();
            }
        } finally {
            starting.unlock();
        }
    }

    @Override
    public void close() {
        starting.lock();
        try {
            Thread thread = reader;
            reader = null;
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            starting.unlock();
        }
    }

    private void readOnAndOn() {
        while (goesOn()) {
            try {
                read();
                Thread.sleep(BETWEEN_READINGS.toMillis());
            } catch (InterruptedException stop) {
                return;
            } catch (RuntimeException unexpected) {
                log.warn("The limits could not follow the load this time", unexpected);
            }
        }
    }

    private boolean goesOn() {
        starting.lock();
        try {
            if (reader == Thread.currentThread() && definitions.adaptive().isEmpty()) {
                definitions.adapt(Map.of());
                reader = null;
            }
            return reader == Thread.currentThread();
        } finally {
            starting.unlock();
        }
    }

    /** One reading. */
    void read() {
        double load = cpu.now();
        if (load >= 0) {
            sum += load;
            known++;
        }
        readings++;
        if (readings == READINGS) {
            if (known > 0) {
                judge(sum / known);
            } else if (!warned) {
                warned = true;
                log.warn("The load of the CPU is not known here: adaptive limits stay as they are");
            }
            readings = 0;
            known = 0;
            sum = 0;
        }
    }

    private void judge(double load) {
        Map<String, EffectiveLimit> before = definitions.adaptive();
        Map<String, Integer> present = new HashMap<>();
        Map<String, Integer> next = new HashMap<>();
        before.forEach((name, limit) -> {
            present.put(name, limit.share());
            next.put(name, next(limit, load));
        });
        if (!next.equals(present)) {
            definitions.adapt(next);
            definitions.adaptive().forEach((name, now) -> tell(before.get(name), now, load));
        }
    }

    private static int next(EffectiveLimit limit, double load) {
        Adaptive adaptive = limit.adaptive();
        if (adaptive == null) {
            return Shrinking.WHOLE;
        }
        if (load > adaptive.high()) {
            int lowest = new Shrinking(limit.stated()).lowestShare(adaptive.fewest());
            return Math.max(lowest, limit.share() / 2);
        }
        return load < adaptive.low() ? Math.min(Shrinking.WHOLE, limit.share() + STEP) : limit.share();
    }

    private static void tell(@Nullable EffectiveLimit before, EffectiveLimit now, double load) {
        if (before != null && before.limit().permits() != now.limit().permits()) {
            log.info(
                    "Limit '{}' follows the CPU, whose load is {}: permits {}, they were {}; stated are {}",
                    now.limit().name(),
                    Math.round(load * 100) / 100.0,
                    now.limit().permits(),
                    before.limit().permits(),
                    now.stated().permits());
        }
    }
}
