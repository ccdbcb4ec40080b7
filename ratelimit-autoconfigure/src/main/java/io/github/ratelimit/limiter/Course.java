/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * The course of one call: what to ask the store, and what its answer means. Knows no thread, no clock and no store.
 *
 * <p>There are two courses. A call whose limits are all buckets is <em>reserved</em>: the store grants the permits of the
 * future in the order of arrival, or denies at once, and its first answer is final. Any other call <em>tries</em>:
 * nothing is charged while it waits the largest {@code retryAfter}, then it asks again, as long as every limit that
 * denied can be in time. Worked example: a window that is free again in 300 ms and a token bucket whose next permit comes
 * in 100 ms, maxWait 500 ms: denied, pause of 300 ms, asked again with 200 ms left.
 *
 * <p>What trying means in detail:
 *
 * <ul>
 *   <li>Token buckets and meters are not reserved (they would be charged while the window still says no). A paced leaky
 *       bucket is asked with the patience that is left, because its delay is its way of counting; when it denies, no
 *       pause helps, since its departures do not come nearer by waiting outside.
 *   <li>A wait that comes to an end is no denial, so the limits are asked without their penalties. Only when the call is
 *       lost they are asked once more as they are, and the denial starts what it starts.
 *   <li>Under a penalty, for a cost above capacity and without a store nobody waits: the call is denied at once. A
 *       penalty does end, but a key that serves one is turned away, not queued.
 *   <li>A limit that would have granted later than the call can wait says {@link DenialReason#WAIT_TOO_LONG}, with the
 *       store's {@code retryAfter}.
 * </ul>
 *
 * <p>Shadow limits have no say: they never make a call wait.
 */
final class Course {

    private final List<Charge> charges;
    private final Patience patience;
    private final boolean reserved;
    private final HeldPenalties held;
    private boolean insisting;

    Course(List<Charge> charges, Patience patience) {
        this.charges = charges;
        this.patience = patience;
        this.reserved = isReserved(charges);
        this.held = HeldPenalties.whileWaiting(charges, patience);
    }

    /** Whether one of these limits lets a call of this patience wait. */
    static boolean mayWait(List<Charge> charges, Patience patience) {
        for (int i = 0; i < charges.size(); i++) { // an iterator for every call would be the larger part of this
            Limit limit = charges.get(i).limit();
            if (patience.micros(limit) > 0 && !limit.shadow()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isReserved(List<Charge> charges) {
        for (Charge charge : charges) {
            if (!charge.limit().shadow() && !charge.limit().algorithm().isBucket()) {
                return false;
            }
        }
        return true;
    }

    /** What to ask the store when this much of the call's patience is used up. */
    List<Charge> ask(long elapsedMicros) {
        List<Charge> asked = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            asked.add(reserved ? charge.waiting(patience.micros(charge.limit())) : trying(charge, elapsedMicros));
        }
        return asked;
    }

    private Charge trying(Charge charge, long elapsedMicros) {
        Limit limit = charge.limit();
        if (limit.paced()) {
            return charge.waiting(Math.max(0, patience.micros(limit) - elapsedMicros));
        }
        return insisting ? charge : held.without(charge);
    }

    /** What the store's answer means, when this much of the call's patience is used up. */
    Step next(Decision answer, long elapsedMicros) {
        Decision decision = reserved || insisting ? answer : held.asStated(answer);
        if (reserved || !(decision instanceof Denied denied)) {
            return new Step.Settled(decision);
        }
        if (insisting || !inTime(denied, elapsedMicros)) {
            return lost(denied, elapsedMicros);
        }
        return new Step.Pause(Math.max(1, denied.retryAfterMicros()), denied);
    }

    private Step lost(Denied denied, long elapsedMicros) {
        if (!insisting && held.wouldHaveStarted(denied)) {
            insisting = true;
            return new Step.Insist();
        }
        return new Step.Settled(Parts.rewrite(denied, part -> tooLong(part, elapsedMicros)));
    }

    private boolean inTime(Denied denied, long elapsedMicros) {
        for (Decision part : denied.parts()) {
            if (part instanceof Denied own
                    && !own.definition().shadow()
                    && !(Parts.isWaitFor(own) && fits(own, elapsedMicros))) {
                return false;
            }
        }
        return true;
    }

    private boolean fits(Denied denied, long elapsedMicros) {
        return denied.retryAfterMicros() <= patience.micros(denied.definition()) - elapsedMicros;
    }

    private Decision tooLong(Decision part, long elapsedMicros) {
        if (Parts.isWaitFor(part)) {
            Denied denied = (Denied) part;
            if (patience.micros(denied.definition()) > 0 && !fits(denied, elapsedMicros)) {
                return Parts.because(DenialReason.WAIT_TOO_LONG, denied);
            }
        }
        return part;
    }
}
