/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;

/**
 * Keeps calls away from a store that does not answer. Knows no clock, no thread and no store.
 *
 * <p>Closed, everybody passes. {@value #FAILURES_TO_OPEN} failures without a success between them open it. Open, nobody
 * passes, until a pause is over; then one caller passes as a <em>probe</em>, alone. Its success closes the breaker, its
 * failure begins the next pause, twice as long, up to a longest. Each pause is shortened by up to a half, at random, so
 * that instances do not probe in step.
 *
 * <p>A failure of a call that began before the breaker closed says nothing about now, and is not counted.
 */
final class Breaker {

    static final int FAILURES_TO_OPEN = 3;
    static final long FIRST_PAUSE_NANOS = 100_000_000;

    /** How a call may pass. */
    enum Pass {
        FREE,
        PROBE,
        NONE
    }

    private sealed interface State {
        record Closed(int failures, long sinceNanos) implements State {}

        record Open(long probeAtNanos, long pauseNanos) implements State {}

        record Probing(long pauseNanos) implements State {}
    }

    private final AtomicReference<State> state;
    private final AtomicInteger notClosed;
    private final long longestPauseNanos;
    private final DoubleSupplier random;

    Breaker(long nowNanos, long longestPauseNanos, DoubleSupplier random) {
        this(nowNanos, longestPauseNanos, random, new AtomicInteger());
    }

    /** A breaker that counts itself among those that are not closed. */
    Breaker(long nowNanos, long longestPauseNanos, DoubleSupplier random, AtomicInteger notClosed) {
        this.notClosed = notClosed;
        this.state = new AtomicReference<>(new State.Closed(0, nowNanos));
        this.longestPauseNanos = longestPauseNanos;
        this.random = random;
    }

    /** Asks to pass. Whoever gets a {@link Pass#PROBE} has to say what became of it. */
    Pass pass(long nowNanos) {
        State seen = state.get();
        if (seen instanceof State.Closed) {
            return Pass.FREE;
        }
        return seen instanceof State.Open open
                        && nowNanos - open.probeAtNanos >= 0
                        && become(seen, new State.Probing(open.pauseNanos))
                ? Pass.PROBE
                : Pass.NONE;
    }

    /** The store has answered. Returns whether this closed the breaker. */
    boolean succeeded(Pass pass, long nowNanos) {
        if (pass == Pass.PROBE) {
            become(new State.Closed(0, nowNanos));
            return true;
        }
        State seen = state.get();
        while (seen instanceof State.Closed closed
                && closed.failures > 0
                && !become(seen, new State.Closed(0, closed.sinceNanos))) {
            seen = state.get();
        }
        return false;
    }

    /** The store has not answered. Returns whether this opened the breaker that was closed. */
    boolean failed(Pass pass, long startedNanos, long nowNanos) {
        if (pass == Pass.PROBE && state.get() instanceof State.Probing probing) {
            become(paused(nowNanos, Math.min(2 * probing.pauseNanos, longestPauseNanos)));
            return false;
        }
        State seen = state.get();
        while (seen instanceof State.Closed closed && startedNanos - closed.sinceNanos >= 0) {
            boolean opens = closed.failures + 1 >= FAILURES_TO_OPEN;
            State next = opens
                    ? paused(nowNanos, Math.min(FIRST_PAUSE_NANOS, longestPauseNanos))
                    : new State.Closed(closed.failures + 1, closed.sinceNanos);
            if (become(seen, next)) {
                return opens;
            }
            seen = state.get();
        }
        return false;
    }

    /** The call did not even reach the store: as if it had never passed. */
    void unused(Pass pass, long nowNanos) {
        if (pass == Pass.PROBE && state.get() instanceof State.Probing probing) {
            become(new State.Open(nowNanos, probing.pauseNanos));
        }
    }

    boolean isOpen() {
        return !(state.get() instanceof State.Closed);
    }

    /** Whether it keeps calls away now. An open breaker whose pause is over would let the next one pass. */
    boolean isKeepingAway(long nowNanos) {
        State seen = state.get();
        return seen instanceof State.Probing || (seen instanceof State.Open open && nowNanos - open.probeAtNanos < 0);
    }

    /** Closes it if its pause is over and nobody has come to probe. */
    void closeIfUnasked(long nowNanos) {
        State seen = state.get();
        if (seen instanceof State.Open open && nowNanos - open.probeAtNanos >= 0) {
            become(seen, new State.Closed(0, nowNanos));
        }
    }

    /** Opens it, whatever it was. */
    void open(long nowNanos) {
        become(paused(nowNanos, Math.min(FIRST_PAUSE_NANOS, longestPauseNanos)));
    }

    private void become(State next) {
        count(state.getAndSet(next), next);
    }

    private boolean become(State seen, State next) {
        boolean became = state.compareAndSet(seen, next);
        if (became) {
            count(seen, next);
        }
        return became;
    }

    private void count(State before, State after) {
        boolean wasClosed = before instanceof State.Closed;
        boolean isClosed = after instanceof State.Closed;
        if (wasClosed && !isClosed) {
            notClosed.incrementAndGet();
        } else if (!wasClosed && isClosed) {
            notClosed.decrementAndGet();
        }
    }

    private State paused(long nowNanos, long pauseNanos) {
        long shortened = (long) (pauseNanos * (1 - random.getAsDouble() / 2));
        return new State.Open(nowNanos + shortened, pauseNanos);
    }
}
