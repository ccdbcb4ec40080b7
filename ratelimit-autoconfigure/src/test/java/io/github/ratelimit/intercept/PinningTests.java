/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;

/** A virtual thread that waits at the gate leaves its carrier; where the JDK has none, there is nothing to pin. */
@WithRedis
class PinningTests {

    private static final boolean VIRTUAL = Arrays.stream(Thread.class.getMethods())
            .anyMatch(method -> method.getName().equals("startVirtualThread"));

    @TempDir
    Path directory;

    @Test
    void waitingPinsNoCarrier(RedisServer redis) {
        Gated.with(Orders.class)
                .withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class))
                .withPropertyValues(
                        "ratelimit.store=redis",
                        "ratelimit.store-timeout=5s",
                        "spring.application.name=pinning",
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port())
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    run(20, orders::waiting);
                    assertThat(pinned(() -> run(20, orders::waiting))).isEmpty();
                });
    }

    @Test
    void recordsWhatPins() throws Exception {
        List<RecordedEvent> pinned =
                pinned(() -> run(1, () -> assertThat(Slow.VALUE).isNotNull()));
        assertThat(pinned.isEmpty()).isEqualTo(!VIRTUAL);
    }

    /** What kept a virtual thread on its carrier while the action ran. */
    private List<RecordedEvent> pinned(Action action) throws Exception {
        Path file = directory.resolve("pinned.jfr");
        try (Recording recording = new Recording()) {
            if (VIRTUAL) {
                recording
                        .enable("jdk.VirtualThreadPinned")
                        .withThreshold(Duration.ZERO)
                        .withStackTrace();
            }
            recording.start();
            action.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
                .toList();
    }

    private static void run(int threads, Runnable task) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            all.add(start(task));
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    private static Thread start(Runnable task) throws ReflectiveOperationException {
        if (VIRTUAL) {
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        }
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    /** What is watched. */
    private interface Action {
        void run() throws Exception;
    }

    /** A class whose initialization takes its time: the JVM cannot take a thread off its carrier meanwhile. */
    private static final class Slow {

        static final String VALUE = slowly();

        private static String slowly() {
            LockSupport.parkNanos(50_000_000);
            return "there";
        }
    }

    static class Orders {
        @RateLimited(
                key = "'everyone'",
                algorithm = Algorithm.TOKEN_BUCKET,
                permits = 100,
                period = "1s",
                burst = 1,
                maxWait = "10s")
        public void waiting() {}
    }
}
