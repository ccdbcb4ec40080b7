/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions, with an end. */
final class Poll {

    private static final long STEP_NANOS = Duration.ofMillis(10).toNanos();

    private Poll() {}

    static void until(String what, Duration atMost, BooleanSupplier condition) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("Waited " + atMost + " in vain: " + what);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("Interrupted while waiting: " + what);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }
}
