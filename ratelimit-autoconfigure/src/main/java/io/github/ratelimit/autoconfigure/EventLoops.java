/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

/** Knows the threads that must never block. */
@FunctionalInterface
interface EventLoops {

    boolean isCurrentThread();
}
