/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.time.Duration;

/** Hears how the shared store does. Called on any thread, so it must be quick; what it throws is logged and dropped. */
@FunctionalInterface
public interface StoreHealth {

    /** Nobody listens. */
    StoreHealth NONE = cause -> {};

    /** One call got no answer from the store. */
    void failed(StoreFailure cause);

    /** An outage begins: calls are no longer sent to the store. */
    default void away(StoreFailure cause) {}

    /** An outage that lasted so long is over. */
    default void back(Duration away) {}
}
