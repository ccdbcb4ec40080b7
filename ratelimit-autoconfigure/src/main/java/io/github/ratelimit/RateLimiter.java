/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Limits from code: the same door, decisions and metrics as for {@code @RateLimited} methods.
 *
 * <p>Every method that takes a key refuses a blank one with an {@link InvalidRateLimitKeyException}, a limit nobody
 * defined with an {@link UnknownLimitException}, and a negative cost with an {@link IllegalArgumentException}: at once,
 * the async twins too. A denial is an answer, never an exception.
 *
 * <p>The stages of the async twins complete on the application's executor, never on a thread of the store's client.
 * Cancelling one while it waits (as the {@link java.util.concurrent.CompletableFuture} it is) gives back what nobody
 * reserved after it.
 */
public interface RateLimiter {

    /** Takes one permit if it is there now; never delayed. */
    Decision tryAcquire(String limit, String key);

    /** Takes {@code cost} permits if they are there now; never delayed. */
    Decision tryAcquire(String limit, String key, long cost);

    /**
     * Takes {@code cost} permits, and waits for them up to {@code maxWait}: an allowed call returns when it may go ahead.
     * A call that cannot be in time is denied at once.
     *
     * @param maxWait the longest wait, at most one hour; zero: the same as {@link #tryAcquire(String, String, long)}
     * @throws RateLimitInterruptedException if the thread is interrupted; its flag is set, what it took is given back
     * @throws RateLimiterClosedException if the application stops meanwhile
     * @throws IllegalStateException on an event-loop thread, which must not wait
     */
    Decision acquire(String limit, String key, long cost, Duration maxWait);

    /** The twin of {@link #tryAcquire(String, String)} that blocks no thread. */
    CompletionStage<Decision> tryAcquireAsync(String limit, String key);

    /** The twin of {@link #tryAcquire(String, String, long)} that blocks no thread. */
    CompletionStage<Decision> tryAcquireAsync(String limit, String key, long cost);

    /** The twin of {@link #acquire} that blocks no thread: its stage completes when the call may go ahead. */
    CompletionStage<Decision> acquireAsync(String limit, String key, long cost, Duration maxWait);

    /**
     * Gives permits back, newest grants first, never past unused.
     *
     * @return what is there now
     */
    Decision refund(String limit, String key, long cost);

    /**
     * Forgets a key, on every plan: its counters are unused again and a penalty is lifted.
     *
     * @throws RateLimitStoreException if nothing was forgotten, since the store cannot answer
     */
    void reset(String limit, String key);

    /**
     * The state of a key, changing nothing: denied if one permit could not be taken now, else allowed, with the present
     * {@code remaining} and {@code resetAfter}.
     */
    Decision peek(String limit, String key);
}
