/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.testkit.StoreUnderTest;

/** A store behind a cache of denials, whose clock goes on as the store's does, but never back. */
public final class CachedUnderTest implements StoreUnderTest {

    private final StoreUnderTest behind;
    private final DenialCache store;
    private long nanos;
    private long micros;

    /** Puts the cache in front. */
    public CachedUnderTest(StoreUnderTest behind) {
        this.behind = behind;
        this.store = new DenialCache(behind.store(), () -> false, true, () -> false, () -> nanos);
    }

    @Override
    public String name() {
        return behind.name() + ", denials cached";
    }

    @Override
    public RateLimitStore store() {
        return store;
    }

    @Override
    public void setClock(long now) {
        nanos += Math.max(0, now - micros) * 1_000;
        micros = now;
        behind.setClock(now);
    }

    @Override
    public void close() {
        behind.close();
    }
}
