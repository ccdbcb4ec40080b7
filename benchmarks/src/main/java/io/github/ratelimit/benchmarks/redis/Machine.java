/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import java.lang.management.ManagementFactory;

/** What a run was measured on, told with it. */
final class Machine {

    private Machine() {}

    static String describe() {
        return "%d processors, Java %s, %s, load %.0f"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        Runtime.version().feature(),
                        System.getProperty("os.name"),
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}
