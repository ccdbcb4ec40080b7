/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.testkit.StoreUnderTest;
import java.util.concurrent.atomic.AtomicLong;

/** The store of this JVM. */
public final class LocalUnderTest implements StoreUnderTest {

    private static final int ENOUGH_KEYS = 1_000_000;

    private final AtomicLong clock;
    private final LocalRateLimitStore store;

    private LocalUnderTest(AtomicLong clock, LocalRateLimitStore store) {
        this.clock = clock;
        this.store = store;
    }

    /** On a clock that the test moves, charged under the lock only. */
    public static LocalUnderTest locked() {
        AtomicLong clock = new AtomicLong();
        return new LocalUnderTest(clock, new LocalRateLimitStore(clock::get, ENOUGH_KEYS, false));
    }

    /** The same, charged without a lock wherever that can be, as an application's is. */
    public static LocalUnderTest open() {
        AtomicLong clock = new AtomicLong();
        return new LocalUnderTest(clock, new LocalRateLimitStore(clock::get, ENOUGH_KEYS));
    }

    /** On the system's clock, which nobody moves. */
    public static LocalUnderTest onTheSystemsClock() {
        return new LocalUnderTest(new AtomicLong(), new LocalRateLimitStore(ENOUGH_KEYS));
    }

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
