/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.store.Deadlines.Alarm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Trips in time, whatever the shared store does: what {@link SteadfastStore} is to a call by itself, for calls that share them. */
final class SteadfastTrips implements Trips {

    private final RateLimitStore shared;
    private final Function<List<Charge>, CompletionStage<List<@Nullable Decision>>> together;
    private final ToIntFunction<List<Charge>> route;
    private final Carrier carrier;
    private final Guard guard;
    private final AwayOrBack awayOrBack;
    private final Standby standby;
    private final Deadlines deadlines;

    /**
     * Trips to a shared store.
     *
     * @param shared that store, where it is heard what is given back
     * @param remote the rest of it
     * @param guard asks it
     * @param awayOrBack knows whether it is asked at all
     * @param standby decides by policy
     * @param deadlines rings for the carrier, should something keep it
     */
    SteadfastTrips(
            RateLimitStore shared,
            Remote remote,
            Guard guard,
            AwayOrBack awayOrBack,
            Standby standby,
            Deadlines deadlines) {
        this.shared = shared;
        this.together = remote.together();
        this.route = remote.route();
        this.carrier = remote.carrier();
        this.guard = guard;
        this.awayOrBack = awayOrBack;
        this.standby = standby;
        this.deadlines = deadlines;
    }

    @Override
    public CompletionStage<Decision> alone(List<Charge> call, long sinceNanos) {
        return guard.ask(
                route.applyAsInt(call),
                sinceNanos,
                1,
                () -> shared.acquire(call),
                failure -> standby.acquire(call),
                (late, elapsed) -> GiveBack.to(shared, call, late, elapsed));
    }

    /** {@inheritDoc} What waited for company when the store went away goes alone, so that one at most waits to see it back. */
    @Override
    public CompletionStage<List<@Nullable Decision>> together(List<Charge> calls, long sinceNanos) {
        return isKeptAway(calls)
                ? CompletableFuture.completedFuture(each(calls, call -> null))
                : guard.ask(
                        route.applyAsInt(calls),
                        sinceNanos,
                        calls.size(),
                        () -> together.apply(calls),
                        failure -> each(calls, standby::acquire),
                        (late, elapsed) -> giveBack(calls, late, elapsed));
    }

    /** {@inheritDoc} When the alarm rings, who has waited for long is answered by policy, and the others are sent from there. */
    @Override
    public boolean departSoon(Runnable departure, long sinceNanos) {
        return inTime(carrier.run(), departure, sinceNanos);
    }

    /** {@inheritDoc} A command that is written while answers are read is sent when all are read. */
    @Override
    public void tell(Runnable telling, long sinceNanos) {
        if (!carrier.isCurrent().getAsBoolean() || !inTime(carrier.run(), telling, sinceNanos)) {
            telling.run();
        }
    }

    /** {@inheritDoc} By whoever has it, or by the deadline: the first runs it. */
    @Override
    public boolean inTime(Predicate<Runnable> by, Runnable task, long sinceNanos) {
        Alarm alarm = deadlines.set(sinceNanos, task);
        return by.test(alarm::ringNow) || !alarm.off();
    }

    @Override
    public boolean isKeptAway(List<Charge> call) {
        return awayOrBack.keepsAnyAway() && awayOrBack.keepsAway(route.applyAsInt(call));
    }

    private static List<@Nullable Decision> each(
            List<Charge> calls, Function<List<Charge>, @Nullable Decision> decision) {
        List<@Nullable Decision> decisions = new ArrayList<>(calls.size());
        for (Charge call : calls) {
            decisions.add(decision.apply(List.of(call)));
        }
        return decisions;
    }

    private void giveBack(List<Charge> calls, List<@Nullable Decision> late, long elapsed) {
        for (int i = 0; i < calls.size(); i++) {
            Decision decision = late.get(i);
            if (decision != null) {
                GiveBack.to(shared, List.of(calls.get(i)), decision, elapsed);
            }
        }
    }
}
