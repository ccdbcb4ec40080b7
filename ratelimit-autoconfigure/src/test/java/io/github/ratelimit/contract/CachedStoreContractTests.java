/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import io.github.ratelimit.store.CachedUnderTest;
import io.github.ratelimit.testkit.Stores;

/** A store keeps the contract when its denials are cached. */
class CachedStoreContractTests extends RateLimitStoreContract {

    CachedStoreContractTests() {
        super(new CachedUnderTest(Stores.local()));
    }
}
