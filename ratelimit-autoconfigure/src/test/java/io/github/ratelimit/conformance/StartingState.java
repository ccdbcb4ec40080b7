/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Anchor;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testkit.StoreUnderTest;
import java.util.List;

/**
 * What was used before the first step, brought about by charges.
 *
 * @param spent permits missing from a bucket at the origin of the axis
 * @param previous permits granted in the window (or slot) before the one of the first step
 * @param current permits granted in the window (or slot) of the first step
 */
record StartingState(long spent, long previous, long current) {

    static final StartingState UNUSED = new StartingState(0, 0, 0);

    /** Times from here on are read as instants since 1970: such an axis has its origin at the first step. */
    private static final long EPOCH_LIKE = 100_000_000_000_000L;

    static StartingState ofBucket(JsonNode params, long capacity) {
        long tokens = Json.number(params, "initialTokens", capacity);
        if (tokens > capacity) {
            throw new Unsupported("initialTokens " + tokens + " above capacity " + capacity);
        }
        return new StartingState(capacity - tokens, 0, 0);
    }

    static StartingState ofWindow(JsonNode params) {
        return new StartingState(
                0, Json.number(params, "initialPrevious", 0), Json.number(params, "initialCurrent", 0));
    }

    /** Whether it needs time before the window of the first step. */
    boolean needsThePast() {
        return previous > 0;
    }

    /** Brings it about for a key: the axis begins at clock time {@code base}, the first step is at {@code first} on it. */
    void bringAbout(StoreUnderTest store, Limit limit, String key, long base, long first) {
        if (spent > 0) {
            store.setClock(base + (first >= EPOCH_LIKE ? first : 0));
            for (long left = spent; left > 0; left -= limit.burst()) {
                charge(store, limit, key, Math.min(left, limit.burst()));
            }
        }
        if (previous + current == 0) {
            return;
        }
        Limit roomy = limit.with()
                .permits(Math.max(previous + current, limit.permits()))
                .build();
        long window = limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER ? limit.slotMicros() : limit.periodMicros();
        long opened = (base + first) / window * window;
        if (!isOfTheClock(limit)) {
            opened = first < window ? base : base + first;
        }
        if (previous > 0) {
            store.setClock(opened - window);
            charge(store, roomy, key, previous);
        }
        if (current > 0) {
            store.setClock(opened);
            charge(store, roomy, key, current);
        }
    }

    private static boolean isOfTheClock(Limit limit) {
        return switch (limit.algorithm()) {
            case FIXED_WINDOW -> limit.anchor() == Anchor.CLOCK;
            case SLIDING_WINDOW_COUNTER -> true;
            default -> false;
        };
    }

    private static void charge(StoreUnderTest store, Limit limit, String key, long cost) {
        Charge charge = Charge.of(limit, key, cost).waiting(Levels.ANY_WAIT);
        if (!Stages.await(store.store().acquire(List.of(charge))).passes()) {
            throw new Unsupported("a starting state of " + cost + " spent on " + limit);
        }
    }
}
