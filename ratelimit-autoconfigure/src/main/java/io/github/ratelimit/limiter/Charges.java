/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** What a call asks for, with its numbers. Where these may take long to find, they are never looked up on an event loop. */
final class Charges {

    private final Limits limits;
    private final Executor executor;
    private final BooleanSupplier onEventLoop;

    /** With the executor that looks up what an event loop must not. */
    Charges(Limits limits, Executor executor, BooleanSupplier onEventLoop) {
        this.limits = limits;
        this.executor = executor;
        this.onEventLoop = onEventLoop;
    }

    /** The charges; the thread waits for them, wherever they are looked up. */
    List<Charge> of(List<Ask> asks) {
        return belongElsewhere(asks) ? BlockingCall.await(elsewhere(asks), late -> {}) : here(asks);
    }

    /** Whether this thread must not look them up. */
    boolean belongElsewhere(List<Ask> asks) {
        if (!onEventLoop.getAsBoolean()) {
            return false;
        }
        for (Ask ask : asks) {
            if (limits.mayBlock(ask.limit(), ask.plan(), ask.key())) {
                return true;
            }
        }
        return false;
    }

    /** The charges, looked up on a thread that may block. */
    CompletableFuture<List<Charge>> elsewhere(List<Ask> asks) {
        CompletableFuture<List<Charge>> found = new CompletableFuture<>();
        Elsewhere.run(executor, () -> {
            try {
                found.complete(here(asks));
            } catch (RuntimeException | Error mistake) {
                found.completeExceptionally(mistake);
            }
        });
        return found;
    }

    /** The charges, looked up on this thread. */
    List<Charge> here(List<Ask> asks) {
        if (asks.isEmpty()) {
            throw new IllegalArgumentException("A call without limits has nothing to be decided.");
        }
        if (asks.size() == 1) {
            return List.of(charge(asks.get(0)));
        }
        List<Charge> charges = new ArrayList<>(asks.size());
        asks.forEach(ask -> charges.add(charge(ask)));
        return charges;
    }

    private Charge charge(Ask ask) {
        return Charge.of(limits.numbersFor(ask.limit(), ask.plan(), ask.key()), ask.key(), ask.cost());
    }
}
