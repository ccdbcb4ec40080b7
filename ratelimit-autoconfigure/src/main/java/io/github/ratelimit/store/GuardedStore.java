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
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The shared store behind a {@link Guard}: where it does not answer in time, a {@link Standby} decides by policy, or the stage
 * fails where nobody can decide instead. What is granted too late is given back.
 */
final class GuardedStore implements RateLimitStore {

    private final RateLimitStore shared;
    private final ToIntFunction<List<Charge>> route;
    private final Guard guard;
    private final Standby standby;

    GuardedStore(RateLimitStore shared, ToIntFunction<List<Charge>> route, Guard guard, Standby standby) {
        this.shared = shared;
        this.route = route;
        this.guard = guard;
        this.standby = standby;
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        return guard.ask(
                route.applyAsInt(charges),
                () -> shared.acquire(charges),
                failure -> standby.acquire(charges),
                (late, elapsed) -> GiveBack.to(shared, charges, late, elapsed));
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        return guard.ask(
                route.applyAsInt(charges),
                () -> shared.reserve(charges),
                failure -> standby.reserve(charges),
                (late, elapsed) -> GiveBack.to(shared, late));
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        return guard.ask(
                route.applyAsInt(charges),
                () -> shared.peek(charges),
                failure -> standby.peek(charges),
                (late, elapsed) -> {});
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        return guard.ask(
                route.applyAsInt(List.of(charge)),
                () -> shared.acquireUpTo(charge),
                failure -> standby.acquireUpTo(charge),
                (late, elapsed) -> GiveBack.to(
                        shared,
                        List.of(Charge.of(charge.limit(), charge.key(), late.granted())),
                        late.decision(),
                        elapsed));
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        return guard.ask(
                route.applyAsInt(reservation.holds().stream()
                        .map(Reservation.Hold::charge)
                        .toList()),
                () -> shared.cancel(reservation),
                failure -> {
                    throw unavailable("cancelled", failure);
                },
                (late, elapsed) -> {});
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        return guard.ask(
                route.applyAsInt(charges),
                () -> shared.refund(charges),
                failure -> standby.refund(charges),
                (late, elapsed) -> {});
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return guard.ask(
                route.applyAsInt(List.of(Charge.of(limit, key, 0))),
                () -> shared.reset(limit, key),
                failure -> {
                    throw unavailable("reset", failure);
                },
                (late, elapsed) -> {});
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        return guard.ask(
                route.applyAsInt(List.of(Charge.of(limit, key, 0))),
                () -> shared.lock(limit, key, duration),
                failure -> {
                    throw unavailable("locked", failure);
                },
                (late, elapsed) -> {});
    }

    private static RateLimitStoreException unavailable(String what, @Nullable Throwable failure) {
        return new RateLimitStoreException("Nothing was " + what + ": Redis cannot answer", failure);
    }
}
