/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Who calls, and how many at once. */
enum Callers {
    TWO("2 threads", 2, false),
    FOUR("4 threads", 4, false),
    PLATFORM("32 threads", 32, false),
    VIRTUAL("128 virtual threads", 128, true),
    ASYNC("128 calls at once without threads", 128, false);

    private final String title;
    private final int count;
    private final boolean virtual;

    Callers(String title, int count, boolean virtual) {
        this.title = title;
        this.count = count;
        this.virtual = virtual;
    }

    String title() {
        return title;
    }

    int count() {
        return count;
    }

    /** How often they call in each round: few callers more often, since their rates differ most from one time to the next. */
    int turns() {
        return areFew() ? 3 : 1;
    }

    /** Whether there are so few that what counts is the time of a trip. */
    boolean areFew() {
        return count <= FOUR.count;
    }

    /** Whether this Java has such threads. */
    boolean exist() {
        return !virtual || Runtime.version().feature() >= 21;
    }

    /** Whether nobody waits for answers: each is followed by the next call. */
    boolean isAsync() {
        return this == ASYNC;
    }

    /** Those that call in the same way, as an application does: the compiler then knows one way only. */
    static List<List<Callers>> ways() {
        return List.of(List.of(TWO, FOUR, PLATFORM, VIRTUAL), List.of(ASYNC));
    }

    ExecutorService start() {
        if (!virtual) {
            return Executors.newFixedThreadPool(count);
        }
        try {
            return (ExecutorService) MethodHandles.lookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class))
                    .invoke();
        } catch (Throwable missing) {
            throw new IllegalStateException("This Java has no virtual threads", missing);
        }
    }
}
