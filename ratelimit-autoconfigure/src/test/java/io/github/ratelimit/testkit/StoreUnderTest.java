/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testkit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store together with the clock it counts by, which the test moves. */
public interface StoreUnderTest extends AutoCloseable {

    /** What to call the store in reports. */
    String name();

    /** The store. */
    RateLimitStore store();

    /** Sets the store's clock, in microseconds; forwards, backwards or where it stands. */
    void setClock(long micros);

    /** Whether a call may share a trip with those of other keys. */
    default boolean sharesTrips(Charge charge) {
        return false;
    }

    /** Decides calls one after the other, now: in one trip where the store can. */
    default CompletionStage<List<Decision>> inTurn(List<Charge> calls) {
        return CompletableFuture.completedFuture(calls.stream()
                .map(call -> Stages.await(store().acquire(List.of(call))))
                .toList());
    }

    @Override
    void close();
}
