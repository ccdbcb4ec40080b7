/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.testkit.StoreUnderTest;
import java.time.Duration;

/** A store whose callers share trips. */
public final class CoalescedUnderTest implements StoreUnderTest {

    private final StoreUnderTest behind;
    private final CoalescingStore store;

    /** Puts the lanes in front. */
    public CoalescedUnderTest(StoreUnderTest behind) {
        this.behind = behind;
        this.store = new CoalescingStore(
                behind.store(),
                new PlainTrips(behind.store(), behind::inTurn),
                behind::sharesTrips,
                Duration.ofSeconds(30));
    }

    @Override
    public String name() {
        return behind.name() + ", coalesced";
    }

    @Override
    public RateLimitStore store() {
        return store;
    }

    @Override
    public void setClock(long micros) {
        behind.setClock(micros);
    }

    @Override
    public void close() {
        behind.close();
    }
}
