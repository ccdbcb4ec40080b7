/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Trips to the store that counts, for calls of one limit that do not wait. Each comes back in time: that is reckoned from
 * when the oldest of its calls came, who may have waited for company.
 */
public interface Trips {

    /**
     * Decides a call by itself.
     *
     * @param call its one charge
     * @param sinceNanos when it came, by {@link System#nanoTime}
     */
    CompletionStage<Decision> alone(List<Charge> call, long sinceNanos);

    /**
     * Decides calls one after the other, those of one counter all at one instant; {@code null} for one that cannot be decided
     * beside others, and has to go alone.
     *
     * @param calls the charge of each
     * @param sinceNanos when the oldest came, by {@link System#nanoTime}
     */
    CompletionStage<List<@Nullable Decision>> together(List<Charge> calls, long sinceNanos);

    /**
     * Has calls leave from the thread that carries them, as soon as that has time for it; at the latest when it is too late
     * for the one that came then. Returns whether they will; {@code false}: there is no such thread.
     *
     * @param departure makes trips of those that wait
     * @param sinceNanos when the call came, by {@link System#nanoTime}
     */
    boolean departSoon(Runnable departure, long sinceNanos);

    /**
     * Tells callers what a trip has brought, after everything is on its way that left because of it; at the latest when it is
     * too late for the one that came then.
     */
    void tell(Runnable telling, long sinceNanos);

    /**
     * Has a task run by somebody; once, and at the latest when it is too late for the call that came then. Returns whether it will
     * be; {@code false}: it was not taken.
     *
     * @param by takes it, and may never get to it
     */
    boolean inTime(Predicate<Runnable> by, Runnable task, long sinceNanos);

    /** Whether calls like this one are kept away from the store now: then there is no company worth waiting for. */
    boolean isKeptAway(List<Charge> call);
}
