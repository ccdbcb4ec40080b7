/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static io.github.ratelimit.limiter.Hall.bucket;
import static io.github.ratelimit.limiter.Hall.one;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.VirtualThreads;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Virtual threads may wait in any number, platform threads may not; where there are no virtual ones all are platform. */
class VirtualThreadTests {

    private static final boolean THERE = Runtime.version().feature() >= 21;

    private final Hall hall = new Hall().places(0).with(bucket("a", 1, ofMillis(30)));

    @AfterEach
    void close() {
        hall.close();
    }

    @Test
    void needNoPlaceToWait() throws ReflectiveOperationException {
        List<CompletableFuture<Decision>> outcomes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            List<Ask> asks = List.of(one("a", "k" + i));
            hall.take("a", "k" + i, 1);
            CompletableFuture<Decision> outcome = new CompletableFuture<>();
            outcomes.add(outcome);
            start(() -> outcome.complete(hall.door().acquireBlocking(asks, ofHours(1))));
        }

        for (CompletableFuture<Decision> outcome : outcomes) {
            Decision decision = outcome.orTimeout(30, TimeUnit.SECONDS).join();
            if (THERE) {
                assertThat(((Allowed) decision).delay()).isEqualTo(ofMillis(30));
            } else {
                assertThat(((Denied) decision).reason()).isEqualTo(DenialReason.TOO_MANY_WAITING);
            }
        }
    }

    @Test
    void areToldFromPlatformThreads() throws ReflectiveOperationException {
        CompletableFuture<Boolean> virtual = new CompletableFuture<>();
        start(() -> virtual.complete(VirtualThreads.isCurrent()));

        assertThat(virtual.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(THERE);
        assertThat(VirtualThreads.isCurrent()).isFalse();
    }

    @Test
    void aTaskRunsOnOneOfItsOwnWhereThereAreAny() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        CompletableFuture<Boolean> virtual = new CompletableFuture<>();
        VirtualThreads.run(() -> {
            virtual.complete(VirtualThreads.isCurrent());
            ran.complete(Thread.currentThread());
        });
        assertThat(virtual.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(THERE);
        assertThat(ran.orTimeout(30, TimeUnit.SECONDS).join() == Thread.currentThread())
                .isNotEqualTo(THERE);
    }

    /** Runs a task on a virtual thread, or on what stands for it on a Java that has none. */
    private static void start(Runnable task) throws ReflectiveOperationException {
        if (!THERE) {
            new Thread(task).start();
            return;
        }
        try {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
