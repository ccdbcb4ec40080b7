/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.testkit.StoreUnderTest;
import java.util.concurrent.atomic.AtomicLong;

/** The store of this JVM on a virtual clock. */
public final class LocalUnderTest implements StoreUnderTest {

    private static final int ENOUGH_KEYS = 1_000_000;

    private final AtomicLong clock = new AtomicLong();
    private final LocalRateLimitStore store = new LocalRateLimitStore(clock::get, ENOUGH_KEYS);

    @Override
    public String name() {
        return "local";
    }

    @Override
    public RateLimitStore store() {
        return store;
    }

    @Override
    public void setClock(long micros) {
        clock.set(micros);
    }

    @Override
    public void close() {
        // nothing to release
    }
}
