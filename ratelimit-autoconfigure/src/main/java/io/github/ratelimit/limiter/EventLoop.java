/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;

/** A thread that must never wait: what it is told where another would wait. */
final class EventLoop {

    private EventLoop() {}

    /** A decision made without waiting, for a call that was willing to wait. */
    static Decision refuse(Decision decision, Patience patience, Runnable waitRefused) {
        if (!(decision instanceof Denied denied)) {
            return decision;
        }
        if (wouldHaveWaited(denied, patience)) {
            waitRefused.run();
        }
        return Parts.rewrite(
                denied,
                part -> isSpent(part) && patience.micros(((Denied) part).definition()) > 0
                        ? Parts.because(DenialReason.WAIT_TOO_LONG, (Denied) part)
                        : part);
    }

    private static boolean wouldHaveWaited(Denied denied, Patience patience) {
        for (Decision part : denied.parts()) {
            if (part instanceof Denied own && !own.definition().shadow()) {
                boolean inTime = own.retryAfterMicros() <= patience.micros(own.definition());
                boolean curedByTime = isSpent(own) || own.reason() == DenialReason.WAIT_TOO_LONG;
                if (!curedByTime || !inTime) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether the permits are spent, and waiting is the cure: an overflowing leaky bucket lets nobody wait. */
    private static boolean isSpent(Decision part) {
        return part instanceof Denied denied
                && denied.reason() == DenialReason.PERMITS_SPENT
                && !denied.definition().paced()
                && !denied.definition().shadow();
    }
}
