/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import io.github.ratelimit.RateLimitStore;
import java.util.SplittableRandom;

/** What callers were granted of one limit, to be compared with what Redis says was used. */
interface Book {

    /** How many callers ask, all the time. */
    int callers();

    /** What one of them does next. */
    void call(RateLimitStore store, SplittableRandom random);

    /** Fails where Redis and the callers do not agree; says what is in it, and what nobody knows of it. */
    Balance balance(RateLimitStore redis);

    /**
     * What is in a book.
     *
     * @param granted by Redis, to callers who heard of it
     * @param uncounted calls that no permit was taken for
     * @param lost permits that Redis has taken, and nobody was told of
     */
    record Balance(long granted, long uncounted, long lost) {}
}
