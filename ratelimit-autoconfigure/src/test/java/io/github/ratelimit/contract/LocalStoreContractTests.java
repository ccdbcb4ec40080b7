/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import io.github.ratelimit.testkit.Stores;

/** The store of this JVM keeps the contract. */
class LocalStoreContractTests extends RateLimitStoreContract {

    LocalStoreContractTests() {
        super(Stores.local());
    }
}
