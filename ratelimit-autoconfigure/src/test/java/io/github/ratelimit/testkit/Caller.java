/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testkit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.Reservation;
import java.time.Duration;
import java.util.List;

/** Calls a store and waits for its answers, at the time the test says. */
public final class Caller {

    private final StoreUnderTest store;
    private long now;

    /** A caller of this store, at this time. */
    public Caller(StoreUnderTest store, long now) {
        this.store = store;
        at(now);
    }

    /** Sets the clock. */
    public Caller at(long micros) {
        now = micros;
        store.setClock(micros);
        return this;
    }

    /** Moves the clock. */
    public Caller after(long micros) {
        return at(now + micros);
    }

    /** The time. */
    public long now() {
        return now;
    }

    public Decision acquire(Charge... charges) {
        return Stages.await(store.store().acquire(List.of(charges)));
    }

    /** Acquires what must be granted. */
    public Allowed take(Charge... charges) {
        Decision decision = acquire(charges);
        if (decision instanceof Allowed allowed) {
            return allowed;
        }
        throw new AssertionError("expected to be granted: " + List.of(charges) + ", got " + decision);
    }

    /** Acquires what must be denied. */
    public Denied refused(Charge... charges) {
        Decision decision = acquire(charges);
        if (decision instanceof Denied denied) {
            return denied;
        }
        throw new AssertionError("expected to be denied: " + List.of(charges) + ", got " + decision);
    }

    public Reservation reserve(Charge... charges) {
        return Stages.await(store.store().reserve(List.of(charges)));
    }

    public Decision peek(Charge... charges) {
        return Stages.await(store.store().peek(List.of(charges)));
    }

    public PartialGrant acquireUpTo(Charge charge) {
        return Stages.await(store.store().acquireUpTo(charge));
    }

    public long cancel(Reservation reservation) {
        return Stages.await(store.store().cancel(reservation));
    }

    public Decision refund(Charge... charges) {
        return Stages.await(store.store().refund(List.of(charges)));
    }

    public void reset(Limit limit, String key) {
        Stages.await(store.store().reset(limit, key));
    }

    public void lock(Limit limit, String key, Duration duration) {
        Stages.await(store.store().lock(limit, key, duration));
    }

    /** The present state: what a call that costs nothing is told. */
    public Allowed state(Limit limit, String key) {
        return (Allowed) peek(Charge.of(limit, key, 0));
    }
}
