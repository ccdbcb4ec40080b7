/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import io.github.ratelimit.testkit.Stores;

/** The store of this JVM keeps the contract where it takes no lock, too. */
class OpenLocalStoreContractTests extends RateLimitStoreContract {

    OpenLocalStoreContractTests() {
        super(Stores.openLocal());
    }
}
