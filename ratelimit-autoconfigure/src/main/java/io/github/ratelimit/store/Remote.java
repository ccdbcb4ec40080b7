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
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A store that may be away, with what {@link SteadfastStore} has to know of it.
 *
 * @param store counts; never blocks, if it can help it
 * @param together decides calls in one trip, as {@link Trips#together} says
 * @param address where it is, for people to read; without credentials
 * @param route which part of it a call concerns, a number below {@value #ROUTES}: each part is away or back for itself
 * @param renewal looks for the store anew, beside what is under way; may be run often, and returns at once
 * @param carrier the thread that carries calls there, and answers back
 */
public record Remote(
        RateLimitStore store,
        Function<List<Charge>, CompletionStage<List<@Nullable Decision>>> together,
        String address,
        ToIntFunction<List<Charge>> route,
        Runnable renewal,
        Carrier carrier) {

    /** Into so many parts a store is divided at most. */
    public static final int ROUTES = 128;

    /** A store of one part. */
    static Remote whole(
            RateLimitStore store,
            Function<List<Charge>, CompletionStage<List<@Nullable Decision>>> together,
            Carrier carrier) {
        return new Remote(store, together, "the shared store", charges -> 0, () -> {}, carrier);
    }
}
