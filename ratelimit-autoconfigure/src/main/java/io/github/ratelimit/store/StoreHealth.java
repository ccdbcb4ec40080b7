/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

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

    /** All of these; none keeps the others from hearing. */
    static StoreHealth all(List<StoreHealth> listeners) {
        List<StoreHealth> each = List.copyOf(listeners);
        return new StoreHealth() {
            @Override
            public void failed(StoreFailure cause) {
                tell(listener -> listener.failed(cause));
            }

            @Override
            public void away(StoreFailure cause) {
                tell(listener -> listener.away(cause));
            }

            @Override
            public void back(Duration away) {
                tell(listener -> listener.back(away));
            }

            private void tell(Consumer<StoreHealth> news) {
                for (StoreHealth listener : each) {
                    try {
                        news.accept(listener);
                    } catch (RuntimeException | Error failure) {
                        LoggerFactory.getLogger(StoreHealth.class).debug("A listener failed", failure);
                    }
                }
            }
        };
    }
}
