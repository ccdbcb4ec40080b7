/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Reservation.Hold;
import java.util.ArrayList;
import java.util.List;

/**
 * What a call was charged that does not go ahead, by the way in which it is given back.
 *
 * <p>What a bucket granted for now is refunded: a cancellation would come too late. Everything else that is held is
 * cancelled: what lies ahead in a bucket, so that those who reserved behind it keep theirs, and a window's charge, so that
 * nothing is given to a window which began since. What is neither comes back with time: a paced leaky bucket's departure
 * of this moment, because another one in its place could meet the next, and a window's charge that nobody holds.
 *
 * @param refunds what to {@link RateLimitStore#refund}
 * @param cancels what to {@link RateLimitStore#cancel}
 */
public record GivingBack(List<Charge> refunds, List<Hold> cancels) {

    /** Copies the lists. */
    public GivingBack {
        refunds = List.copyOf(refunds);
        cancels = List.copyOf(cancels);
    }

    /** What a reservation holds. */
    public static GivingBack of(Reservation reservation) {
        List<Charge> refunds = new ArrayList<>();
        List<Hold> cancels = new ArrayList<>();
        for (Hold hold : reservation.holds()) {
            if (isRefunded(hold.charge(), reservation.decision())) {
                refunds.add(hold.charge());
            } else {
                cancels.add(hold);
            }
        }
        return new GivingBack(refunds, cancels);
    }

    /** What was charged by a decision that tells of no holds. */
    public static GivingBack of(List<Charge> charges, Decision decision) {
        return new GivingBack(
                decision instanceof Allowed
                        ? charges.stream()
                                .filter(charge -> isRefunded(charge, decision))
                                .map(charge -> asCounted(charge, decision))
                                .toList()
                        : List.of(),
                List.of());
    }

    /** The charge as it was counted: in an outage by numbers, and in a place, of its own. */
    private static Charge asCounted(Charge charge, Decision decision) {
        for (Decision part : decision.parts()) {
            if (part instanceof Allowed allowed
                    && part.limit().equals(charge.limit().name())) {
                return Charge.of(allowed.definition(), charge.key(), charge.cost());
            }
        }
        return charge;
    }

    private static boolean isRefunded(Charge charge, Decision decision) {
        Limit limit = charge.limit();
        boolean paces = limit.paced() && !limit.shadow();
        return charge.cost() > 0 && isBucket(limit) && !paces && isNow(limit, decision);
    }

    private static boolean isBucket(Limit limit) {
        return limit.algorithm() == Algorithm.TOKEN_BUCKET || limit.algorithm() == Algorithm.LEAKY_BUCKET;
    }

    /** Whether a limit granted for now, as far as its own answers tell. A shadow limit that denies has charged nothing. */
    private static boolean isNow(Limit limit, Decision decision) {
        boolean granted = false;
        for (Decision part : decision.parts()) {
            if (part.limit().equals(limit.name())) {
                if (!(part instanceof Allowed allowed) || allowed.delayMicros() > 0) {
                    return false;
                }
                granted = true;
            }
        }
        return granted;
    }
}
