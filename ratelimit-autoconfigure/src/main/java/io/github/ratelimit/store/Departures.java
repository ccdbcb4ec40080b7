/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the trips of lanes; when one comes back, those that wait then.
 *
 * <p>Callers are told when all that leaves because of their answer is on its way, or back: one who asks again where he is told, and
 * waits there, finds no trip in his lane that only he keeps from coming back. A trip may be back as soon as it is sent, as when
 * the store refuses connections. Then whoever is told first may keep others of such trips from being told here; these are told in time.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what follows a stage tells the callers
final class Departures {

    private final Trips trips;
    private final Telling telling;
    private final LongSupplier nanoClock;
    private final Consumer<Lane> closed;

    /**
     * Departures to a store.
     *
     * @param store where it is given back what a caller does not want any more
     * @param trips where calls go
     * @param nanoClock by which calls come
     * @param closed hears of a lane that its last trip has closed
     */
    Departures(RateLimitStore store, Trips trips, LongSupplier nanoClock, Consumer<Lane> closed) {
        this.trips = trips;
        this.telling = new Telling(store, this::alone, trips, nanoClock);
        this.nanoClock = nanoClock;
        this.closed = closed;
    }

    /** Sends calls of a lane that have left it as one trip. */
    void send(Lane lane, List<Call> leaving) {
        tell(sendAll(lane, leaving));
    }

    /** Sends a call by itself, of no lane. */
    CompletableFuture<Decision> alone(Call call) {
        return trip(() -> trips.alone(call.charges(), call.sinceNanos()));
    }

    /** Tells the caller of such a call. */
    void tell(Call call, @Nullable Decision decision, @Nullable Throwable failure) {
        telling.one(call, decision, failure);
    }

    /** A trip that was back at once; its callers do not know yet. */
    private record Back(Runnable telling, long sinceNanos) {}

    /** Sends a trip and who may leave beside it, or behind it where it is back at once. Returns whose callers are to be told. */
    private List<Back> sendAll(Lane lane, List<Call> leaving) {
        List<Back> back = List.of();
        List<Call> calls = leaving;
        while (!calls.isEmpty()) {
            Runnable told = depart(lane, calls);
            if (told == null) {
                calls = lane.rest(nanoClock.getAsLong());
            } else {
                back = back.isEmpty() ? new ArrayList<>() : back;
                back.add(new Back(told, Call.oldest(calls)));
                calls = next(lane, calls.size());
            }
        }
        return back;
    }

    private void tell(List<Back> all) {
        if (!all.isEmpty()) {
            List<Runnable> here = new ArrayList<>(all.size());
            all.forEach(back -> trips.inTime(here::add, back.telling(), back.sinceNanos()));
            here.forEach(Runnable::run);
        }
    }

    /** Sends a trip. Returns what tells its callers where it is back at once; {@code null}: it is on its way. */
    private @Nullable Runnable depart(Lane lane, List<Call> calls) {
        return calls.size() == 1
                ? travel(
                        lane, calls, alone(calls.get(0)), (own, failure) -> telling.theOnly(calls.get(0), own, failure))
                : travel(lane, calls, together(calls), (decisions, failure) -> telling.all(calls, decisions, failure));
    }

    private <T> @Nullable Runnable travel(
            Lane lane, List<Call> sent, CompletableFuture<T> trip, BiConsumer<@Nullable T, @Nullable Throwable> told) {
        if (trip.isDone()) {
            return () -> trip.whenComplete(told);
        }
        trip.whenComplete((answer, failure) -> {
            List<Back> back = List.of();
            try {
                back = sendAll(lane, next(lane, sent.size()));
            } finally {
                told.accept(answer, failure);
            }
            tell(back);
        });
        return null;
    }

    private CompletableFuture<List<@Nullable Decision>> together(List<Call> calls) {
        return trip(() -> trips.together(charges(calls), Call.oldest(calls)));
    }

    private static <T> CompletableFuture<T> trip(Supplier<CompletionStage<T>> question) {
        try {
            return question.get().toCompletableFuture();
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private static List<Charge> charges(List<Call> calls) {
        List<Charge> charges = new ArrayList<>(calls.size());
        for (Call call : calls) {
            charges.add(call.charge());
        }
        return charges;
    }

    private List<Call> next(Lane lane, int back) {
        List<Call> next = lane.next(back, nanoClock.getAsLong());
        if (next != null) {
            return next;
        }
        closed.accept(lane);
        return List.of();
    }
}
