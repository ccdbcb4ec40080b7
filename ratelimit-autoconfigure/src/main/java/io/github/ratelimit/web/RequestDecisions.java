/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterClosedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was decided for one web request: of each limit the answer that matters most, and the last denial. A denial stands,
 * whatever is allowed after it. Threads may tell it at once. Its size is bounded by the number of limits.
 */
public final class RequestDecisions {

    private final Map<String, Decision> parts = new LinkedHashMap<>();
    private @Nullable Denied denial;
    private boolean closed;

    /** Takes a decision in. Limits that only watch, and those nobody counted, leave no trace. */
    public synchronized void add(Decision decision) {
        if (decision instanceof Denied denied) {
            denial = denied;
        }
        for (Decision part : decision.parts()) {
            if (part instanceof Denied denied && !denied.definition().shadow()) {
                parts.merge(part.limit(), part, (before, now) -> isLonger(before, denied, decision) ? before : now);
            } else if (part instanceof Allowed allowed && !allowed.definition().shadow()) {
                parts.merge(part.limit(), part, RequestDecisions::tighter);
            }
        }
    }

    /** Whether a limit has denied another key of the same call, and for longer: that one decided. */
    private static boolean isLonger(Decision before, Denied denied, Decision decision) {
        return before instanceof Denied other
                && other.retryAfterMicros() >= denied.retryAfterMicros()
                && decision.parts().contains(other);
    }

    /** Takes in what refused the request, wherever that was decided. Returns whether headers tell of it. */
    public synchronized boolean add(Refusal refusal) {
        if (refusal.exception() instanceof RateLimitExceededException exceeded) {
            add(exceeded.denied());
            return true;
        }
        closed |= refusal.exception() instanceof RateLimiterClosedException;
        return closed;
    }

    /** Whether a call was refused of which nobody could say anything: its limit's store is away, or the application stops. */
    synchronized boolean isOutage() {
        return closed || (denial != null && denial.reason() == DenialReason.STORE_UNAVAILABLE);
    }

    /** The last denial; null while there is none. */
    public synchronized @Nullable Denied denial() {
        return denial;
    }

    /** Each limit's answer, in the order in which they were first heard. */
    synchronized List<Decision> parts() {
        return new ArrayList<>(parts.values());
    }

    /** The answer of the limit that denied last, else the tightest: fewest remaining, then latest reset. */
    synchronized @Nullable Decision decisive() {
        if (denial != null) {
            return parts.getOrDefault(denial.limit(), denial);
        }
        return parts.values().stream().reduce(RequestDecisions::tighter).orElse(null);
    }

    private static Decision tighter(Decision one, Decision other) {
        if (!(one instanceof Allowed first) || !(other instanceof Allowed second)) {
            return one instanceof Denied ? one : other;
        }
        return second.isTighterThan(first) ? other : one;
    }
}
