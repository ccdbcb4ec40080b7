/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.GivingBack;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back what a store granted to a call that does not go ahead, as {@link GivingBack} says. Tried once: what cannot be
 * given back comes back with time.
 */
final class GiveBack {

    private static final Logger log = LoggerFactory.getLogger(GiveBack.class);

    private GiveBack() {}

    /** Gives a reservation back. */
    static void to(RateLimitStore store, Reservation reservation) {
        if (!reservation.holds().isEmpty()) {
            attempt(() -> store.cancel(GivingBack.cancelled(reservation)));
        }
    }

    /**
     * Gives back what a decision without waits has charged.
     *
     * @param elapsedNanos how long ago the store was asked
     */
    static void to(RateLimitStore store, List<Charge> charges, Decision decision, long elapsedNanos) {
        List<Charge> refunds = GivingBack.refunded(charges, decision, elapsedNanos / 1_000);
        if (!refunds.isEmpty()) {
            attempt(() -> store.refund(refunds));
        }
    }

    private static void attempt(Supplier<CompletionStage<?>> giving) {
        try {
            var unused = giving.get().whenComplete((given, failure) -> {
                if (failure != null) {
                    log.debug("Permits could not be given back; they come back with time", failure);
                }
            });
        } catch (RuntimeException failure) {
            log.debug("Permits could not be given back; they come back with time", failure);
        }
    }
}
