/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

/** One way of limiting, as an application would call it. */
interface Contender extends AutoCloseable {

    /** What the table calls it. */
    String name();

    /** Whether a call of this key may pass. Called by many threads. */
    boolean decide(String key);

    @Override
    void close();
}
