/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Carries scripts to Redis. Always to a master; every stage ends exceptionally where Redis cannot answer. */
public interface RedisTransport extends AutoCloseable {

    /** Runs a script by EVALSHA, by EVAL where Redis does not know it, and answers with its integers. */
    CompletionStage<List<Long>> run(Script script, byte[][] keys, byte[][] arguments);

    /** Opens what the first call would otherwise have to wait for. */
    default CompletionStage<Void> prepare() {
        return CompletableFuture.completedFuture(null);
    }

    /** Deletes a key. */
    CompletionStage<Void> delete(byte[] key);

    /** Whether keys are spread over the slots of a Redis Cluster. */
    boolean isClustered();

    /** Redis does not answer: looks for it anew, beside what is under way. May be called often. */
    default void renew() {}

    /** Closes the connections there are; the next call opens another. */
    default void disconnect() {}

    /** Whether the current thread is the one on which all answers arrive. */
    default boolean isWhereAnswersArrive() {
        return false;
    }

    /**
     * Gives a task to the thread on which all answers arrive, to run when that has done what it is at, however long that takes; given
     * while answers are read, also when all is sent that was written meanwhile. Returns whether there is such a thread.
     */
    default boolean runWhereAnswersArrive(Runnable task) {
        return false;
    }

    /** Whether a reply may be an integer that stands alone, not in an array: cheaper, and not every client reads it. */
    default boolean readsLoneIntegers() {
        return false;
    }

    /** Whether calls keep the caller's thread until Redis has answered. */
    default boolean isBlocking() {
        return false;
    }

    @Override
    default void close() {}
}
