/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One way of limiting, as an application would call it. */
interface Contender extends AutoCloseable {

    /** What the table calls it. */
    String name();

    /** Whether a call of this key may pass. Called by many threads. */
    boolean decide(String key);

    /** The same without a thread that waits, or {@code null} for who has no such way. */
    default @Nullable CompletionStage<?> decideAsync(String key) {
        return null;
    }

    /** Whether there is a way without a thread that waits. */
    default boolean isAsync() {
        return false;
    }

    @Override
    void close();
}
