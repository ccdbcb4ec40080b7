/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back what a store granted to a call that does not go ahead. Tried once: what cannot be given back comes back with
 * time.
 *
 * <p>What was granted for now is refunded. What lies in the future is cancelled, which leaves alone what others have
 * reserved behind it.
 */
final class GiveBack {

    private static final Logger log = LoggerFactory.getLogger(GiveBack.class);

    private GiveBack() {}

    /** Gives a reservation back. */
    static void to(RateLimitStore store, Reservation reservation) {
        List<Charge> now = new ArrayList<>();
        List<Hold> later = new ArrayList<>();
        for (Hold hold : reservation.holds()) {
            if (isDelayed(hold.charge(), reservation.decision())) {
                later.add(hold);
            } else {
                now.add(hold.charge());
            }
        }
        if (!later.isEmpty()) {
            attempt(() -> store.cancel(new Reservation(reservation.decision(), later)));
        }
        refund(store, now);
    }

    /** Gives back what a decision without waits has charged. */
    static void to(RateLimitStore store, List<Charge> charges, Decision decision) {
        if (decision instanceof Allowed) {
            List<Charge> charged = new ArrayList<>(charges);
            charged.removeIf(charge -> charge.cost() == 0 || isSpared(charge, decision));
            refund(store, charged);
        }
    }

    private static void refund(RateLimitStore store, List<Charge> charges) {
        if (!charges.isEmpty()) {
            attempt(() -> store.refund(charges));
        }
    }

    private static boolean isDelayed(Charge charge, Decision decision) {
        for (Decision part : decision.parts()) {
            if (part instanceof Allowed allowed
                    && allowed.delayMicros() > 0
                    && part.limit().equals(charge.limit().name())) {
                return true;
            }
        }
        return false;
    }

    /** A shadow limit that denies is not charged, though the call is allowed. */
    private static boolean isSpared(Charge charge, Decision decision) {
        for (Decision part : decision.parts()) {
            if (Decision.isShadowDenial(part)
                    && part.limit().equals(charge.limit().name())) {
                return true;
            }
        }
        return false;
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
