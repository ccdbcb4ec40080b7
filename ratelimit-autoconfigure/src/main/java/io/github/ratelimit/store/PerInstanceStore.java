/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends each charge to the store it belongs to: limits that every instance counts for itself to a store of this JVM, all
 * others to the shared one. A call whose limits all live in one of them is that store's alone; {@link MixedCall} has the
 * others.
 */
public final class PerInstanceStore implements RateLimitStore {

    private final RateLimitStore shared;
    private final RateLimitStore own;

    /**
     * Stands before both stores.
     *
     * @param shared where all instances count together
     * @param own where this instance counts for itself; answers at once, as a store in this JVM does
     */
    public PerInstanceStore(RateLimitStore shared, RateLimitStore own) {
        this.shared = shared;
        this.own = own;
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        return isMixed(charges)
                ? mixed(charges).reserve().thenApply(Reservation::decision)
                : storeOf(charges).acquire(charges);
    }

    @Override
    public Decision acquireBlocking(List<Charge> charges, Consumer<? super Decision> late)
            throws InterruptedException, ExecutionException {
        return isMixed(charges)
                ? RateLimitStore.super.acquireBlocking(charges, late)
                : storeOf(charges).acquireBlocking(charges, late);
    }

    @Override
    public Decision.@Nullable Denied knownDenial(Limit limit, String key, long cost) {
        return storeOf(limit).knownDenial(limit, key, cost);
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        return isMixed(charges) ? mixed(charges).reserve() : storeOf(charges).reserve(charges);
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        return isMixed(charges) ? mixed(charges).peek() : storeOf(charges).peek(charges);
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        return storeOf(charge.limit()).acquireUpTo(charge);
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        List<Hold> mine = reservation.holds().stream()
                .filter(hold -> hold.charge().limit().perInstance())
                .toList();
        if (mine.isEmpty()) {
            return shared.cancel(reservation);
        }
        CompletionStage<Long> restored = own.cancel(new Reservation(reservation.decision(), mine));
        List<Hold> theirs = reservation.holds().stream()
                .filter(hold -> !hold.charge().limit().perInstance())
                .toList();
        return theirs.isEmpty()
                ? restored
                : shared.cancel(new Reservation(reservation.decision(), theirs)).thenCombine(restored, Long::sum);
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        return isMixed(charges) ? mixed(charges).refund() : storeOf(charges).refund(charges);
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return storeOf(limit).reset(limit, key);
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        return storeOf(limit).lock(limit, key, duration);
    }

    private MixedCall mixed(List<Charge> charges) {
        return new MixedCall(charges, own, shared);
    }

    private RateLimitStore storeOf(Limit limit) {
        return limit.perInstance() ? own : shared;
    }

    /** The store of charges that belong to one; no charges at all are the shared store's to refuse. */
    private RateLimitStore storeOf(List<Charge> charges) {
        return charges.isEmpty() ? shared : storeOf(charges.get(0).limit());
    }

    private static boolean isMixed(List<Charge> charges) {
        for (int i = 1; i < charges.size(); i++) {
            if (charges.get(i).limit().perInstance() != charges.get(0).limit().perInstance()) {
                return true;
            }
        }
        return false;
    }
}
