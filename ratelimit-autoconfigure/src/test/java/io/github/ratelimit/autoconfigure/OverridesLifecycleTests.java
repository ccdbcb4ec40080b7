/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.SharedNotes;
import io.github.ratelimit.tuning.SharedOverrides;
import io.github.ratelimit.tuning.Tuning;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long a start waits for overrides. */
class OverridesLifecycleTests {

    private static final Duration LONG = Duration.ofHours(1);

    private final CountDownLatch answers = new CountDownLatch(1);
    private final SharedOverrides overrides =
            new SharedOverrides(new LimitCatalog(Tuning.of(Map.of()), (limit, key) -> null), new Silent());

    @AfterEach
    void stop() {
        answers.countDown();
        overrides.close();
    }

    @Test
    void notAtAllForARedisThatDidNotAnswerJustNow() {
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> new OverridesLifecycle(overrides, () -> new Shared(false), LONG).start());
    }

    @Test
    void untilTheyAreReadFromARedisThatDid() throws InterruptedException {
        Thread start = new Thread(new OverridesLifecycle(overrides, () -> new Shared(true), LONG)::start);
        start.start();
        while (start.getState() != Thread.State.TIMED_WAITING) {
            assertThat(start.getState()).isNotEqualTo(Thread.State.TERMINATED);
            Thread.onSpinWait();
        }
        answers.countDown();
        start.join();
    }

    private record Shared(boolean prepared) implements SharedStore {

        @Override
        public RateLimitStore open() {
            return new LocalRateLimitStore(1);
        }

        @Override
        public boolean isPrepared() {
            return prepared;
        }
    }

    /** Says nothing before it is told to. */
    private final class Silent implements SharedNotes {

        @Override
        public Map<String, String> read() {
            try {
                answers.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            return Map.of();
        }

        @Override
        public void write(String name, String text) {}

        @Override
        public void remove(Set<String> names) {}

        @Override
        public void onChange(Runnable heard) {}

        @Override
        public void close() {}
    }
}
