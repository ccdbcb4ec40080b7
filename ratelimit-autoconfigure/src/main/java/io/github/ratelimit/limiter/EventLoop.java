/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import java.util.List;
import java.util.function.Function;

/** A thread that must never wait: what it is told where another would wait. */
final class EventLoop {

    private EventLoop() {}

    /**
     * Decides a call that is willing to wait. A denial that time would have cured on any other thread starts no penalty; one
     * that would have been a denial there, too, does.
     *
     * @param store decides charges without waiting
     */
    static Decision decide(
            List<Charge> charges, Patience patience, Function<List<Charge>, Decision> store, Runnable waitRefused) {
        HeldPenalties held = HeldPenalties.whileWaiting(charges, patience);
        Decision decision = held.asStated(store.apply(held.charges()));
        if (decision instanceof Denied denied) {
            if (wouldHaveWaited(denied, patience)) {
                waitRefused.run();
            } else if (held.wouldHaveStarted(denied)) {
                decision = store.apply(charges);
            }
        }
        return decision instanceof Denied ? Parts.rewrite(decision, part -> tooLong(part, patience)) : decision;
    }

    private static Decision tooLong(Decision part, Patience patience) {
        return Parts.isWaitFor(part) && patience.micros(((Denied) part).definition()) > 0
                ? Parts.because(DenialReason.WAIT_TOO_LONG, (Denied) part)
                : part;
    }

    private static boolean wouldHaveWaited(Denied denied, Patience patience) {
        for (Decision part : denied.parts()) {
            if (part instanceof Denied own && !own.definition().shadow()) {
                boolean inTime = own.retryAfterMicros() <= patience.micros(own.definition());
                boolean curedByTime = Parts.isWaitFor(own) || own.reason() == DenialReason.WAIT_TOO_LONG;
                if (!curedByTime || !inTime) {
                    return false;
                }
            }
        }
        return true;
    }
}
