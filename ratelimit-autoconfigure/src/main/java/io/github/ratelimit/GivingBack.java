/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.Reservation.Lent;
import java.util.ArrayList;
import java.util.List;

/**
 * The way back of permits that were charged to a call which does not go ahead.
 *
 * <p>What is held is cancelled: so those who reserved behind it keep theirs, nothing is given to a window which began since,
 * and nothing that time has repaid. Of what nobody holds, a bucket's is refunded, as far as time has not repaid it. What is
 * neither comes back with time: a paced leaky bucket's departure of this moment, because another one in its place could meet
 * the next, and a window's charge that nobody holds.
 */
public final class GivingBack {

    private GivingBack() {}

    /** What to {@link RateLimitStore#cancel}. A call that has to wait gives up waiting, any other has ended just now. */
    public static Reservation cancelled(Reservation reservation) {
        return reservation.waits() ? reservation : ended(reservation);
    }

    /** The same of a call that has ended just now, though it would have had to wait: it was denied elsewhere, or abandoned. */
    public static Reservation ended(Reservation reservation) {
        List<Hold> holds = new ArrayList<>();
        for (Hold hold : reservation.holds()) {
            Lent lent = hold.lent();
            holds.add(lent == null ? hold : hold.lent(new Lent(lent.fullMicros(), lent.fullFraction(), true)));
        }
        return new Reservation(reservation.decision(), holds);
    }

    /**
     * What to {@link RateLimitStore#refund} of a decision that tells of no holds: by numbers, and in a place, of its own where
     * it was counted in an outage.
     *
     * @param elapsedMicros how long ago the call was charged, at most
     */
    public static List<Charge> refunded(List<Charge> charges, Decision decision, long elapsedMicros) {
        List<Charge> counted = Charge.onePerCounter(charges);
        List<Decision> parts = decision.parts();
        List<Charge> refunds = new ArrayList<>();
        if (decision instanceof Allowed && counted.size() == parts.size()) {
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i) instanceof Allowed part) {
                    Charge charge = counted.get(i);
                    long cost = charge.cost() - repaidFirst(part, elapsedMicros);
                    if (isLent(part) && cost > 0) {
                        refunds.add(Charge.of(part.definition(), charge.key(), cost));
                    }
                }
            }
        }
        return refunds;
    }

    /** Whether a bucket granted for now: what it paces comes back with time. */
    private static boolean isLent(Allowed part) {
        Limit limit = part.definition();
        boolean paces = limit.paced() && !limit.shadow();
        return limit.algorithm().isBucket() && !paces && part.delayMicros() == 0;
    }

    /** How many whole permits time has brought a bucket since; of others it does not matter. */
    private static long repaidFirst(Allowed part, long elapsedMicros) {
        Limit limit = part.definition();
        long period = limit.periodMicros();
        if (limit.refill() == Refill.INTERVAL) {
            long firstTick = Math.floorMod(part.resetAfterMicros() - 1, period) + 1;
            return elapsedMicros < firstTick ? 0 : (1 + (elapsedMicros - firstTick) / period) * limit.permits();
        }
        return (long) ((double) elapsedMicros / period * limit.permits());
    }
}
