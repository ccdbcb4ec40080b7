/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/**
 * Hears every decision: for metrics, events, logs of the application's own.
 *
 * <p>Called once per call, on the thread that decides, before the call goes ahead or is turned away: return quickly. A
 * listener that throws harms nobody; its first failure is logged.
 */
@FunctionalInterface
public interface RateLimitListener {

    /**
     * A call was decided. A wait that an allowed call has to serve still lies ahead.
     *
     * @param decision the answer to the call; its {@link Decision#parts()} are the answers of its limits
     */
    void onDecision(Decision decision);

    /**
     * An allowed call has waited, and goes ahead now.
     *
     * @param decision the answer that {@link #onDecision} has heard before
     * @param waitedNanos how long the call really waited
     */
    default void onWait(Decision.Allowed decision, long waitedNanos) {}
}
