/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitStore;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Trips straight to a store, which take as long as they take.
 *
 * @param store decides single calls
 * @param inTurn decides calls in one trip
 * @param carrier where calls leave and answers arrive
 */
public record PlainTrips(
        RateLimitStore store, Function<List<Charge>, CompletionStage<List<@Nullable Decision>>> inTurn, Carrier carrier)
        implements Trips {

    /** Calls leave on their callers' threads. */
    public PlainTrips(RateLimitStore store, Function<List<Charge>, CompletionStage<List<@Nullable Decision>>> inTurn) {
        this(store, inTurn, Carrier.NONE);
    }

    @Override
    public CompletionStage<Decision> alone(List<Charge> call, long sinceNanos) {
        return store.acquire(call);
    }

    @Override
    public CompletionStage<List<@Nullable Decision>> together(List<Charge> calls, long sinceNanos) {
        return inTurn.apply(calls);
    }

    @Override
    public boolean departSoon(Runnable departure, long sinceNanos) {
        return carrier.run().test(departure);
    }

    @Override
    public void tell(Runnable telling, long sinceNanos) {
        if (!carrier.isCurrent().getAsBoolean() || !carrier.run().test(telling)) {
            telling.run();
        }
    }

    @Override
    public boolean inTime(Predicate<Runnable> by, Runnable task, long sinceNanos) {
        return by.test(task);
    }

    @Override
    public boolean isKeptAway(List<Charge> call) {
        return false;
    }
}
