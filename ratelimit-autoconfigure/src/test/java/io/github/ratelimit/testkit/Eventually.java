/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads or processes do. */
public final class Eventually {

    private static final long STEP_NANOS = Duration.ofMillis(5).toNanos();

    private Eventually() {}

    /** Waits until this is so; fails when it takes longer. */
    public static void until(String what, Duration atMost, BooleanSupplier condition) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("Waited " + atMost + " in vain: " + what);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }
}
