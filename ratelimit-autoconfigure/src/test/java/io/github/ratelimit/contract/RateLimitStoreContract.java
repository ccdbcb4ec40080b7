/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import io.github.ratelimit.testkit.StoreUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** Everything a store promises, for every way of counting. Each store has a subclass. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RateLimitStoreContract
        implements CountingContract,
                TogetherContract,
                PenaltyContract,
                WaitingContract,
                GivingBackContract,
                GivingUpContract,
                ChangedNumbersContract,
                ClockContract,
                HostileInputContract {

    private final StoreUnderTest store;

    RateLimitStoreContract(StoreUnderTest store) {
        this.store = store;
    }

    @Override
    public StoreUnderTest store() {
        return store;
    }

    @AfterAll
    void close() {
        store.close();
    }
}
