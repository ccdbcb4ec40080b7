/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * Penalties that are held back: the store is asked as if these limits had none, and its answer is told of the limits as
 * they are stated. A penalty that runs is told of all the same.
 */
final class HeldPenalties {

    private final List<Charge> stated;
    private final Predicate<Limit> holds;

    private HeldPenalties(List<Charge> stated, Predicate<Limit> holds) {
        this.stated = stated;
        this.holds = holds;
    }

    /** All penalties: of a call that only wants to know. */
    static HeldPenalties all(List<Charge> charges) {
        return new HeldPenalties(charges, limit -> true);
    }

    /**
     * Those of the limits for which a call is willing to wait: a wait that comes to an end is no denial. A paced bucket's is
     * none of them: when it lacks permits, no wait helps.
     */
    static HeldPenalties whileWaiting(List<Charge> charges, Patience patience) {
        return new HeldPenalties(charges, limit -> !limit.paced() && !limit.shadow() && patience.micros(limit) > 0);
    }

    /** The charges to ask the store with. */
    List<Charge> charges() {
        return stated.stream().map(this::without).toList();
    }

    /** One of the charges, to ask the store with. */
    Charge without(Charge charge) {
        return isHeld(charge.limit())
                ? new Charge(
                        charge.limit().with().penalty(Duration.ZERO).build(),
                        charge.key(),
                        charge.cost(),
                        charge.maxWaitMicros())
                : charge;
    }

    /** The store's answer, told of the limits as they are stated. */
    Decision asStated(Decision answer) {
        return Parts.rewrite(answer, this::partAsStated);
    }

    private Decision partAsStated(Decision part) {
        for (Charge charge : stated) {
            if (isHeld(charge.limit()) && charge.limit().name().equals(part.limit())) {
                return Parts.withPenalty(charge.limit().penalty(), part);
            }
        }
        return part;
    }

    /** Whether this denial, told of the limits as they are stated, would have started a penalty that is held back. */
    boolean wouldHaveStarted(Denied denied) {
        return denied.parts().stream().anyMatch(part -> Parts.isWaitFor(part) && isHeld(((Denied) part).definition()));
    }

    private boolean isHeld(Limit limit) {
        return !limit.penalty().isZero() && holds.test(limit);
    }
}
