/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testkit;

import io.github.ratelimit.RateLimitStore;

/** A store together with the clock it counts by, which the test moves. */
public interface StoreUnderTest extends AutoCloseable {

    /** What to call the store in reports. */
    String name();

    /** The store. */
    RateLimitStore store();

    /** Sets the store's clock, in microseconds; forwards, backwards or where it stands. */
    void setClock(long micros);

    @Override
    void close();
}
