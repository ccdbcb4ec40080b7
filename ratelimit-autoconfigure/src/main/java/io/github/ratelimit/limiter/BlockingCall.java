/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimiterClosedException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** A call on its way whose thread waits: for the store's answer, and for its permits. */
final class BlockingCall {

    private final Counter counter;
    private final Listeners listeners;
    private final BlockedThreads threads;
    private final Course course;
    private boolean placed;
    private long since;
    private long at;

    BlockingCall(Counter counter, Listeners listeners, BlockedThreads threads, Course course) {
        this.counter = counter;
        this.listeners = listeners;
        this.threads = threads;
        this.course = course;
    }

    /** Decides and waits. Where that is interrupted, the thread's flag is set only after everything is given back. */
    Decision decide() {
        try {
            return decideAndWait();
        } catch (InterruptedException interruption) {
            throw interrupted(interruption);
        } finally {
            if (placed) {
                threads.leave();
            }
        }
    }

    private Decision decideAndWait() throws InterruptedException {
        Answer answer = ask(course.ask(0));
        since = at;
        while (true) {
            Step step = course.next(answer.decision(), (at - since) / 1_000);
            if (step instanceof Step.Settled settled) {
                return serve(settled.decision(), answer);
            }
            if (step instanceof Step.Pause pause) {
                if (!takePlace()) {
                    return listeners.decided(Parts.noPlaceToWait(DenialReason.TOO_MANY_WAITING, pause.soFar()));
                }
                park(pause.micros());
            }
            answer = ask(course.ask((System.nanoTime() - since) / 1_000));
        }
    }

    private Decision serve(Decision decision, Answer answer) throws InterruptedException {
        long delay = decision instanceof Allowed allowed ? allowed.delayMicros() : 0;
        if (delay > 0 && !takePlace()) {
            counter.giveBack(answer.ended());
            return listeners.decided(Parts.noPlaceToWait(DenialReason.TOO_MANY_WAITING, decision));
        }
        listeners.decided(decision);
        if (delay > 0) {
            try {
                park(delay);
            } catch (InterruptedException | RateLimiterClosedException givenUp) {
                counter.giveBack(answer);
                throw givenUp;
            }
        }
        if (placed && decision instanceof Allowed allowed) {
            listeners.waited(allowed, System.nanoTime() - since);
        }
        return decision;
    }

    private boolean takePlace() {
        placed = placed || threads.enter();
        return placed;
    }

    private void park(long micros) throws InterruptedException {
        threads.park(at, micros * 1_000);
    }

    private Answer ask(List<Charge> charges) {
        Answer answer = await(counter.ask(charges), late -> counter.giveBack(late.ended()));
        at = System.nanoTime();
        return answer;
    }

    /** Waits for the store; an answer that comes after the thread was interrupted goes to {@code late}. */
    static <T> T await(CompletableFuture<T> answer, Consumer<? super T> late) {
        try {
            return answer.get();
        } catch (InterruptedException interruption) {
            var unused = answer.thenAccept(late);
            throw interrupted(interruption);
        } catch (ExecutionException failure) {
            throw Failures.toThrow(failure);
        }
    }

    /** What a thread throws that was interrupted, its flag set again. */
    static RateLimitInterruptedException interrupted(InterruptedException interruption) {
        Thread.currentThread().interrupt();
        return new RateLimitInterruptedException(interruption);
    }
}
