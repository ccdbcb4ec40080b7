/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is told of this machine's clock, by which counters in this JVM go: that it has stepped back so far that a counter
 * counts as unused. Each is a failure of the cause {@link StoreFailure#CLOCK}; one warning is enough until the next start.
 */
public final class ClockNews {

    private static final Logger log = LoggerFactory.getLogger(ClockNews.class);

    private final StoreHealth health;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Has told nothing yet.
     *
     * @param health hears of each counter
     */
    public ClockNews(StoreHealth health) {
        this.health = health;
    }

    /** A counter in this JVM lay too far in the future to be believed. */
    public void jumped() {
        try {
            health.failed(StoreFailure.CLOCK);
        } catch (RuntimeException | Error failure) {
            log.debug("A listener failed", failure);
        }
        if (warned.compareAndSet(false, true)) {
            log.warn(
                    "The clock of this machine has stepped back by more than an hour, or a limit was made much smaller:"
                            + " counters in this JVM that lie further in the future than they can count as unused. Check the"
                            + " machine's time synchronisation.");
        }
    }
}
