/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.local.LocalRateLimitStore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ten million distinct keys through the gate: what the first million leaves on the heap is all there ever is. */
@Tag("soak")
class ManyKeysSoakTests {

    private static final Logger LOG = LoggerFactory.getLogger(ManyKeysSoakTests.class);
    private static final int MILLION = 1_000_000;
    private static final int MAX_KEYS = 100_000;

    /** Keys that are unused again soon, and keys that all stay in use. */
    @ParameterizedTest
    @ValueSource(strings = {"1ms", "1d"})
    void theHeapStaysFlat(String period) {
        Gated.with(Orders.class)
                .withPropertyValues(
                        "ratelimit.limits.orders.permits=2",
                        "ratelimit.limits.orders.period=" + period,
                        "ratelimit.local.max-keys=" + MAX_KEYS)
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    long start = System.nanoTime();
                    callAMillionTimes(orders, 0);
                    long before = usedHeap();
                    for (int millions = 1; millions < 10; millions++) {
                        callAMillionTimes(orders, millions);
                    }
                    long after = usedHeap();

                    int counters = context.getBean(LocalRateLimitStore.class).size();
                    LOG.info(
                            "period {}: {} kB after 1 million keys, {} kB after 10 million, {} counters, {} s",
                            period,
                            before >> 10,
                            after >> 10,
                            counters,
                            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
                    assertThat(counters).isLessThanOrEqualTo(MAX_KEYS);
                    assertThat(after - before).isLessThan(4 << 20);
                });
    }

    private static void callAMillionTimes(Orders orders, int millions) {
        for (int i = 0; i < MILLION; i++) {
            try {
                orders.create("tenant-" + (millions * MILLION + i));
            } catch (RateLimitExceededException denied) {
                // what shares a counter is soon denied
            }
        }
    }

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            runtime.gc();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }

    static class Orders {
        @RateLimited(name = "orders", key = "#tenant")
        public void create(String tenant) {}
    }
}
