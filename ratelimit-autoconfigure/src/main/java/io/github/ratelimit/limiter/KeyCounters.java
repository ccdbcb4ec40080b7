/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limits;
import io.github.ratelimit.RateLimitStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The counters of a key, as code looks after them beside its calls: no listener hears of it, and nobody waits.
 *
 * <p>A stage that is not complete at once completes on the executor that is handed in.
 */
final class KeyCounters {

    private final Limits limits;
    private final RateLimitStore store;
    private final Charges charges;

    KeyCounters(Limits limits, RateLimitStore store, Charges charges) {
        this.limits = limits;
        this.store = store;
        this.charges = charges;
    }

    CompletableFuture<Decision> refund(Ask ask, Executor on) {
        return about(ask, charge -> store.refund(List.of(charge)), on);
    }

    /** Forgets a key on whatever plan it was counted: a call may have named one that the key alone does not tell. */
    CompletableFuture<Void> reset(Ask ask, Executor on) {
        CompletableFuture<?>[] forgotten = limits.shapesOf(ask.limit()).stream()
                .map(shape -> store.reset(shape, ask.key()).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return Elsewhere.complete(CompletableFuture.allOf(forgotten), on);
    }

    /** The present state; only where nothing remains, or nobody counts, it takes a second look, at why and until when. */
    CompletableFuture<Decision> peek(Ask ask, Executor on) {
        return about(ask, this::look, on);
    }

    private CompletionStage<Decision> look(Charge one) {
        Charge none = Charge.of(one.limit(), one.key(), 0);
        return store.peek(List.of(none))
                .thenCompose(state -> state instanceof Decision.Allowed allowed && allowed.remaining() > 0
                        ? CompletableFuture.completedStage(state)
                        : lookAtDenial(one));
    }

    /** Why a call would be denied now: without the penalty that it would start, so that one is told of only where it runs. */
    private CompletionStage<Decision> lookAtDenial(Charge one) {
        HeldPenalties held = HeldPenalties.all(List.of(one));
        return store.peek(held.charges()).thenApply(held::asStated);
    }

    private <T> CompletableFuture<T> about(Ask ask, Function<Charge, CompletionStage<T>> question, Executor on) {
        List<Ask> one = List.of(ask);
        return charges.belongElsewhere(one)
                ? charges.elsewhere(one).thenCompose(found -> Elsewhere.complete(question.apply(found.get(0)), on))
                : Elsewhere.complete(question.apply(charges.here(one).get(0)), on);
    }
}
