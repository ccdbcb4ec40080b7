/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.RateLimiterClosedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call on its way that blocks no thread.
 *
 * <p>The result belongs to the caller, who may give up at any moment by completing it otherwise: cancel, time out. So
 * there is a race between giving up and going ahead, and it is decided in one place: what the store granted lies in
 * {@link #held}, and whoever takes it out settles it, once. Going ahead takes it out to complete the result, and gives it
 * back if the result turns out to be complete. Giving up takes it out to give it back. An answer that arrives when the
 * caller has gone is put there too, and the result is looked at <em>after</em> that, so that one of both sees the other.
 *
 * <p>The first question is asked on the caller's thread and answered there, if the store answers at once. Everything that
 * follows happens on the executor.
 */
final class PendingCall {

    private final CompletableFuture<Decision> result = new CompletableFuture<>();
    private final AtomicReference<@Nullable Answer> held = new AtomicReference<>();
    private final Counter counter;
    private final Listeners listeners;
    private final WaitTimer timer;
    private final CompletableFuture<Course> coming;
    private final Executor executor;
    private volatile @Nullable Future<?> alarm;
    private boolean answered;
    private boolean waited;
    private long since;

    PendingCall(
            Counter counter,
            Listeners listeners,
            WaitTimer timer,
            CompletableFuture<Course> coming,
            Executor executor) {
        this.counter = counter;
        this.listeners = listeners;
        this.timer = timer;
        this.coming = coming;
        this.executor = executor;
    }

    /** Asks at once, or when the course is known. */
    CompletableFuture<Decision> start() {
        if (coming.isCompletedExceptionally()) {
            var unused =
                    coming.whenComplete((course, mistake) -> result.completeExceptionally(Failures.unwrap(mistake)));
        } else if (coming.isDone()) {
            ask();
        } else {
            var unused = coming.whenComplete((course, mistake) -> elsewhere(this::ask));
        }
        var unused = result.whenComplete((decision, failure) -> abandon());
        return result;
    }

    private void ask() {
        if (result.isDone()) {
            return;
        }
        long elapsed = answered ? (System.nanoTime() - since) / 1_000 : 0;
        CompletableFuture<Answer> answer = counter.ask(coming.join().ask(elapsed));
        if (answer.isDone()) {
            receive(answer, System.nanoTime());
        } else {
            var unused = answer.whenComplete((arrived, failure) -> {
                long at = System.nanoTime();
                elsewhere(() -> receive(answer, at));
            });
        }
    }

    private void receive(CompletableFuture<Answer> arrived, long at) {
        Answer answer;
        try {
            answer = arrived.join();
        } catch (RuntimeException failure) {
            result.completeExceptionally(Failures.unwrap(failure));
            return;
        }
        if (!answered) {
            answered = true;
            since = at;
        }
        if (result.isDone()) {
            counter.giveBack(answer.ended());
            return;
        }
        Step step = coming.join().next(answer.decision(), (at - since) / 1_000);
        if (step instanceof Step.Settled settled) {
            settle(settled.decision(), answer, at);
        } else if (step instanceof Step.Pause pause) {
            sleep(at, pause.micros(), this::ask);
        } else {
            ask();
        }
    }

    private void settle(Decision decision, Answer answer, long at) {
        held.set(answer);
        listeners.decided(decision);
        long delay = decision instanceof Allowed allowed ? allowed.delayMicros() : 0;
        if (delay > 0) {
            sleep(at, delay, () -> goAhead(decision));
        } else {
            goAhead(decision);
        }
    }

    private void goAhead(Decision decision) {
        Answer answer = held.getAndSet(null);
        if (answer == null) {
            return;
        }
        timer.forget(this);
        if (waited && decision instanceof Allowed allowed) {
            listeners.waited(allowed, System.nanoTime() - since);
        }
        if (!result.complete(decision)) {
            counter.giveBack(answer);
        }
    }

    private void sleep(long at, long micros, Runnable then) {
        waited = true;
        long left = micros * 1_000 - (System.nanoTime() - at);
        alarm = timer.ring(this, left, () -> elsewhere(then));
        if (result.isDone()) {
            abandon();
        }
    }

    /** The result is complete: nothing is held, nothing rings any more. */
    private void abandon() {
        giveBackHeld();
        Future<?> ringing = alarm;
        if (ringing != null) {
            ringing.cancel(false);
        }
        timer.forget(this);
    }

    private void giveBackHeld() {
        Answer answer = held.getAndSet(null);
        if (answer != null) {
            counter.giveBack(answer);
        }
    }

    /** The application stops: what is held is given back now, the caller hears of it elsewhere. */
    void release() {
        giveBackHeld();
        elsewhere(() -> result.completeExceptionally(new RateLimiterClosedException()));
    }

    private void elsewhere(Runnable task) {
        Elsewhere.run(executor, () -> {
            try {
                task.run();
            } catch (RuntimeException | Error failure) {
                result.completeExceptionally(Failures.unwrap(failure));
            }
        });
    }
}
