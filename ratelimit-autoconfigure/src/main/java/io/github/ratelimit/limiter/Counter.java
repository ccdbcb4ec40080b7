/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import java.util.ArrayList;
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

    /** Asks the store; reserves where a wait is allowed. */
    CompletableFuture<Answer> ask(List<Charge> charges) {
        CompletionStage<Answer> answer = charges.stream().anyMatch(charge -> charge.maxWaitMicros() > 0)
                ? store.reserve(charges).thenApply(held -> new Answer(held.decision(), charges, held))
                : store.acquire(charges).thenApply(decision -> new Answer(decision, charges, null));
        return answer.toCompletableFuture();
    }

    /**
     * Gives back what a call was granted that does not go ahead.
     *
     * <p>What lies in the future is cancelled, which gives back what nobody reserved after it. What was granted without
     * a delay of its own is refunded: its time is now, and a cancellation would come too late. A paced leaky bucket's
     * departure of this very moment stays taken: another one in its place could meet the next.
     */
    void giveBack(Answer answer) {
        if (!(answer.decision() instanceof Allowed)) {
            return;
        }
        Reservation reservation = answer.reservation();
        List<Charge> charges = reservation == null
                ? answer.charges()
                : reservation.holds().stream().map(Hold::charge).toList();
        List<Charge> refunds = new ArrayList<>(charges);
        refunds.removeIf(charge -> charge.cost() == 0 || charge.limit().paced() || !isNow(answer.decision(), charge));
        if (!refunds.isEmpty()) {
            settle("refunded", () -> store.refund(refunds));
        }
        if (reservation != null) {
            List<Hold> held = new ArrayList<>(reservation.holds());
            held.removeIf(hold -> refunds.contains(hold.charge()));
            if (!held.isEmpty()) {
                settle("cancelled", () -> store.cancel(new Reservation(reservation.decision(), held)));
            }
        }
    }

    /** Whether a charge was granted for now, as far as its limit's own answers tell. */
    private static boolean isNow(Decision decision, Charge charge) {
        boolean granted = false;
        for (Decision part : decision.parts()) {
            if (part.limit().equals(charge.limit().name())) {
                if (!(part instanceof Allowed allowed) || allowed.delayMicros() > 0) {
                    return false;
                }
                granted = true;
            }
        }
        return granted;
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
