/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.store.Breaker.Pass;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Whether the shared store, or a part of it, is away or back, by what became of the questions that it was asked. Opens and
 * closes the breakers, tells of the outage, and has the way to the store opened anew.
 */
final class AwayOrBack {

    private final Breakers breakers;
    private final Deadlines deadlines;
    private final Outage outage;
    private final Runnable renewal;
    private final LongSupplier nanoClock;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile boolean paused;

    AwayOrBack(Breakers breakers, Deadlines deadlines, Outage outage, Runnable renewal, LongSupplier nanoClock) {
        this.breakers = breakers;
        this.deadlines = deadlines;
        this.outage = outage;
        this.renewal = renewal;
        this.nanoClock = nanoClock;
    }

    /** Whether there is a part of the store of which not all calls are sent. */
    boolean keepsAnyAway() {
        return breakers.isAnyOpen();
    }

    /** Whether calls on this part of the store are not all sent. */
    boolean keepsAway(int route) {
        return breakers.of(route).isOpen();
    }

    boolean isKeepingAway() {
        return breakers.isAnyKeepingAway(nanoClock);
    }

    /** Whether the way to the store is closed on purpose: what fails meanwhile says nothing about the store. */
    void paused(boolean paused) {
        this.paused = paused;
    }

    /** The store was found to be away, outside any call: none is sent until a probe finds it back. */
    void lost(Throwable failure) {
        long now = nanoClock.getAsLong();
        StoreFailure cause = StoreFailure.of(failure);
        breakers.openAll(now);
        outage.failed(cause, failure, now);
        outage.begins(cause, failure, now);
    }

    /** A question was answered. */
    void succeeded(Breaker breaker, Pass pass) {
        outage.answered();
        long now = pass == Pass.PROBE ? nanoClock.getAsLong() : 0; // of anybody else's success nobody asks when
        if (breaker.succeeded(pass, now)) {
            outage.recovers(now);
            lookWhetherOver();
        }
    }

    /**
     * A question was not answered.
     *
     * @param since when the oldest of its calls came
     * @param calls how many there are
     */
    void failed(Breaker breaker, Pass pass, long since, int calls, Throwable failure) {
        if (deadlines.isClosed()) {
            return;
        }
        long now = nanoClock.getAsLong();
        if (paused) {
            breaker.unused(pass, now);
            return;
        }
        StoreFailure cause = StoreFailure.of(failure);
        for (int call = 0; call < calls; call++) {
            outage.failed(cause, failure, now);
        }
        if (cause.isOfOneKey()) {
            succeeded(breaker, pass);
            return;
        }
        for (int call = 0; call < Math.min(calls, Breaker.FAILURES_TO_OPEN); call++) {
            if (breaker.failed(pass, since, now)) {
                outage.begins(cause, failure, now);
            }
        }
        if (cause.isOfWrites() && !breaker.isOpen()) {
            outage.refusedWrite(cause);
        }
        if (cause.isOfTheWay() || breaker.isOpen()) {
            renewal.run(); // one way to the store may lead nowhere while another is well
        }
    }

    /** From the first part that is back until the outage is over somebody looks; one at a time. */
    private void lookWhetherOver() {
        if (looking.compareAndSet(false, true)) {
            look();
        }
    }

    private void look() {
        boolean over = !isKeepingAway() && outage.ends(nanoClock.getAsLong());
        if (over) {
            breakers.closeUnasked(nanoClock.getAsLong());
        }
        if (over || deadlines.isClosed()) {
            looking.set(false);
        } else {
            deadlines.set(nanoClock.getAsLong(), this::look);
        }
    }
}
