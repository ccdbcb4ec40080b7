/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rewrites a decision by rewriting the answers of its limits. */
final class Parts {

    private Parts() {}

    /** The decision that follows from the rewritten answers; the same one where none has changed. */
    static Decision rewrite(Decision decision, UnaryOperator<Decision> rewriting) {
        List<Decision> before = decision.parts();
        List<Decision> after = new ArrayList<>(before.size());
        boolean changed = false;
        for (Decision part : before) {
            Decision rewritten = rewriting.apply(part);
            changed |= rewritten != part;
            after.add(rewritten);
        }
        return changed ? Decision.together(after) : decision;
    }

    /** Whether this is a denial that time cures, if only there is enough of it: an overflowing leaky bucket lets nobody wait. */
    static boolean isWaitFor(Decision part) {
        return part instanceof Denied denied
                && denied.reason() == DenialReason.PERMITS_SPENT
                && !denied.definition().paced()
                && !denied.definition().shadow();
    }

    /** The same denial for another reason. */
    static Denied because(DenialReason reason, Denied denied) {
        return new Denied(
                denied.definition(), reason, denied.remaining(), denied.resetAfterMicros(), denied.retryAfterMicros());
    }

    /** The same answer of a limit that has a penalty after all. */
    static Decision withPenalty(Duration penalty, Decision part) {
        if (part instanceof Allowed allowed) {
            return new Allowed(
                    withPenalty(penalty, allowed.definition()),
                    allowed.remaining(),
                    allowed.resetAfterMicros(),
                    allowed.delayMicros());
        }
        if (part instanceof Denied denied) {
            return new Denied(
                    withPenalty(penalty, denied.definition()),
                    denied.reason(),
                    denied.remaining(),
                    denied.resetAfterMicros(),
                    denied.retryAfterMicros());
        }
        return part;
    }

    private static Limit withPenalty(Duration penalty, Limit limit) {
        return limit.with().penalty(penalty).build();
    }

    /**
     * The denial of a call that would wait, but has no place to: every answer that makes it wait becomes a denial for
     * this reason, with the wait as its {@code retryAfter}.
     */
    static Decision noPlaceToWait(DenialReason reason, Decision decision) {
        return rewrite(decision, part -> {
            if (part instanceof Allowed allowed && allowed.delayMicros() > 0) {
                return new Denied(
                        allowed.definition(),
                        reason,
                        allowed.remaining(),
                        allowed.resetAfterMicros(),
                        allowed.delayMicros());
            }
            if (part instanceof Denied denied && !denied.definition().shadow()) {
                return because(reason, denied);
            }
            return part;
        });
    }
}
