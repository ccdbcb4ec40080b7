/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.GivingBack;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store as a call sees it that may still give up: asks, and gives back. */
final class Counter {

    private static final Logger log = LoggerFactory.getLogger(Counter.class);

    private final RateLimitStore store;

    Counter(RateLimitStore store) {
        this.store = store;
    }

    /** Asks the store; reserves where a wait is allowed, and where it costs nothing. */
    CompletableFuture<Answer> ask(List<Charge> charges) {
        boolean reserves = charges.size() > 1 || charges.get(0).maxWaitMicros() > 0;
        CompletionStage<Answer> answer = reserves
                ? store.reserve(charges).thenApply(held -> new Answer(held.decision(), charges, held))
                : store.acquire(charges).thenApply(decision -> new Answer(decision, charges, null));
        return answer.toCompletableFuture();
    }

    /** Gives back what a call was granted that does not go ahead, as {@link GivingBack} says. */
    void giveBack(Answer answer) {
        Reservation reservation = answer.reservation();
        if (reservation != null && !reservation.holds().isEmpty()) {
            settle("cancelled", () -> store.cancel(GivingBack.cancelled(reservation)));
        } else if (reservation == null) {
            // the store has answered in time, and whoever does not go ahead knows it from then on
            List<Charge> refunds = GivingBack.refunded(answer.charges(), answer.decision(), 0);
            if (!refunds.isEmpty()) {
                settle("refunded", () -> store.refund(refunds));
            }
        }
    }

    private static void settle(String how, java.util.function.Supplier<CompletionStage<?>> returning) {
        try {
            var unused = returning.get().whenComplete((restored, failure) -> {
                if (failure != null) {
                    log.debug("Permits of a call that gave up could not be {}; they come back with time", how, failure);
                }
            });
        } catch (RuntimeException failure) {
            log.debug("Permits of a call that gave up could not be {}; they come back with time", how, failure);
        }
    }
}
