/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.testkit.Eventually;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Overrides whose keeper does not answer. */
class SharedOverridesTests {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final CountDownLatch answers = new CountDownLatch(1);
    private final LimitCatalog catalog = new LimitCatalog(
            Tuning.of(Map.of(
                    "orders",
                    LimitSettings.of(
                            Algorithm.TOKEN_BUCKET, new Numbers(10L, Duration.ofMinutes(1), null), null, null))),
            (limit, key) -> null);

    @Test
    void delayNoStartWhereNobodyAnswersAndHoldOnceSomebodyDoes() {
        catalog.check();
        try (SharedOverrides overrides = new SharedOverrides(catalog, new Silent())) {
            long before = System.nanoTime();
            overrides.start(Duration.ZERO);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
            assertThat(permits()).isEqualTo(10);

            answers.countDown();
            Eventually.until("the override holds", SOON, () -> permits() == 7);
        }
    }

    private long permits() {
        return catalog.base("orders").limit().permits();
    }

    /** Says nothing for long. */
    private final class Silent implements SharedNotes {

        @Override
        public Map<String, String> read() {
            try {
                answers.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            return Map.of("orders", "permits=7");
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
