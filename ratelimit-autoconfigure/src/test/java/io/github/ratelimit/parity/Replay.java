/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.parity;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.GivingBack;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testkit.StoreUnderTest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Makes a history's calls on one store, with keys that nobody else uses. */
final class Replay {

    private static final Reservation NONE = new Reservation(new Uncounted("none", null), List.of());

    private final StoreUnderTest store;
    private final String keys;
    private final Map<Long, Reservation> reservations = new HashMap<>();

    Replay(StoreUnderTest store, String keys) {
        this.store = store;
        this.keys = keys;
    }

    /** The answer to a step, which is the history's so-manieth. */
    Object answer(long index, Step step) {
        store.setClock(step.at());
        try {
            Object answer = Stages.await(call(step));
            if (answer instanceof Reservation reservation) {
                reservations.put(index, reservation);
            }
            return answer == null ? "done" : answer;
        } catch (RuntimeException e) {
            throw new AssertionError(store.name() + " cannot answer " + step, e);
        }
    }

    private CompletionStage<?> call(Step step) {
        RateLimitStore to = store.store();
        List<Charge> charges = step.charges().stream()
                .map(charge -> new Charge(charge.limit(), keys + charge.key(), charge.cost(), charge.maxWaitMicros()))
                .toList();
        return switch (step.op()) {
            case ACQUIRE -> to.acquire(charges);
            case IN_TURN -> store.inTurn(charges);
            case RESERVE -> to.reserve(charges);
            case PEEK -> to.peek(charges);
            case REFUND -> to.refund(charges);
            case UP_TO -> to.acquireUpTo(charges.get(0));
            case CANCEL -> to.cancel(reservations.getOrDefault(step.number(), NONE));
            case GIVE_UP -> to.cancel(GivingBack.cancelled(reservations.getOrDefault(step.number(), NONE)));
            case RESET -> to.reset(charges.get(0).limit(), charges.get(0).key());
            case LOCK -> to.lock(charges.get(0).limit(), charges.get(0).key(), Duration.ofNanos(step.number() * 1_000));
        };
    }
}
