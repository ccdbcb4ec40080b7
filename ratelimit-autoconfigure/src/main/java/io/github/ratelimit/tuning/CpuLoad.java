/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

/** Says how busy the CPU is that this instance runs on. */
@FunctionalInterface
public interface CpuLoad {

    /** The load since the last time somebody asked, from 0 to 1; below 0 or not a number where nobody knows. */
    double now();
}
