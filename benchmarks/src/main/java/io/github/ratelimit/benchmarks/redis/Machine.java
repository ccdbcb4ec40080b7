/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

/** What a run was measured on, told with it. */
final class Machine {

    private Machine() {}

    static String describe() {
        return "%d processors, Java %s, %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        Runtime.version().feature(),
                        System.getProperty("os.name"));
    }
}
