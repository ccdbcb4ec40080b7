/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several limits' answers, told as one: the smallest remaining, the longest times, the limit that decided. */
final class Together {

    private final List<Decision> parts;
    private long remaining = Long.MAX_VALUE;
    private long resetAfter;
    private long delay;
    private @Nullable Denied decisive;
    private @Nullable Allowed tightest;

    private Together(List<Decision> parts) {
        this.parts = parts;
    }

    static Decision of(List<Decision> parts) {
        Together together = new Together(List.copyOf(parts));
        List<Decision> enforced = new ArrayList<>(parts);
        enforced.removeIf(Together::isShadow);
        enforced.forEach(together::add);
        return together.tell();
    }

    private void add(Decision part) {
        if (part instanceof Denied denied) {
            see(denied.remaining(), denied.resetAfterMicros());
            if (decisive == null || denied.retryAfterMicros() > decisive.retryAfterMicros()) {
                decisive = denied;
            }
        } else if (part instanceof Allowed allowed) {
            see(allowed.remaining(), allowed.resetAfterMicros());
            delay = Math.max(delay, allowed.delayMicros());
            if (tightest == null || allowed.isTighterThan(tightest)) {
                tightest = allowed;
            }
        }
    }

    private void see(long partRemaining, long partResetAfter) {
        remaining = Math.min(remaining, partRemaining);
        resetAfter = Math.max(resetAfter, partResetAfter);
    }

    private Decision tell() {
        if (decisive != null) {
            return new Denied(
                    decisive.definition(),
                    decisive.reason(),
                    remaining,
                    resetAfter,
                    decisive.retryAfterMicros(),
                    parts);
        }
        if (tightest != null) {
            return new Allowed(tightest.definition(), remaining, resetAfter, delay, parts);
        }
        return uncountedOrShadow();
    }

    /** Nobody enforced anything: an uncounted part speaks for all, else the first shadow limit. */
    private Decision uncountedOrShadow() {
        for (Decision part : parts) {
            if (part instanceof Uncounted) {
                return parts.size() == 1 ? part : new Uncounted(part.limit(), part.plan(), parts);
            }
        }
        return switchOff(parts.get(0));
    }

    private Decision switchOff(Decision shadow) {
        if (shadow instanceof Denied denied) {
            return new Allowed(denied.definition(), denied.remaining(), denied.resetAfterMicros(), 0, parts);
        }
        Allowed allowed = (Allowed) shadow;
        return new Allowed(allowed.definition(), allowed.remaining(), allowed.resetAfterMicros(), 0, parts);
    }

    private static boolean isShadow(Decision part) {
        return (part instanceof Denied denied && denied.definition().shadow())
                || (part instanceof Allowed allowed && allowed.definition().shadow());
    }
}
