/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the time of decisions, in the name of the store that makes them: {@code local} where every limit of the call is
 * counted per instance, else the shared one's name. A denial that is known ahead is nobody's decision, and not timed.
 */
public final class TimedStore extends StoreInFront {

    private static final Logger log = LoggerFactory.getLogger(TimedStore.class);

    private final String name;
    private final StoreTimes times;

    /** Stands before a store of this name. */
    public TimedStore(RateLimitStore store, String name, StoreTimes times) {
        super(store);
        this.name = name;
        this.times = times;
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        long started = System.nanoTime();
        return timed(store.acquire(charges), charges, started);
    }

    @Override
    public Decision acquireBlocking(List<Charge> charges, Consumer<? super Decision> late)
            throws InterruptedException, ExecutionException {
        long started = System.nanoTime();
        Decision decision = store.acquireBlocking(charges, answer -> {
            took(charges, started);
            late.accept(answer);
        });
        took(charges, started);
        return decision;
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        long started = System.nanoTime();
        return timed(store.reserve(charges), charges, started);
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        long started = System.nanoTime();
        return timed(store.acquireUpTo(charge), List.of(charge), started);
    }

    /** An answer that is there already costs no stage of its own; a failed one is no decision. */
    private <T> CompletionStage<T> timed(CompletionStage<T> answer, List<Charge> charges, long started) {
        CompletableFuture<T> future = answer.toCompletableFuture();
        if (!future.isDone()) {
            var unused = future.whenComplete((decided, failure) -> {
                if (failure == null) {
                    took(charges, started);
                }
            });
        } else if (!future.isCompletedExceptionally()) {
            took(charges, started);
        }
        return answer;
    }

    private void took(List<Charge> charges, long started) {
        try {
            times.took(isPerInstance(charges) ? "local" : name, System.nanoTime() - started);
        } catch (RuntimeException | LinkageError refused) {
            log.debug("The time of a decision could not be recorded", refused);
        }
    }

    private static boolean isPerInstance(List<Charge> charges) {
        for (int i = 0; i < charges.size(); i++) {
            if (!charges.get(i).limit().perInstance()) {
                return false;
            }
        }
        return true;
    }
}
