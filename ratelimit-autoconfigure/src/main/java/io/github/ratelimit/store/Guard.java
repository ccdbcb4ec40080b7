/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.store.Breaker.Pass;
import io.github.ratelimit.store.Deadlines.Alarm;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a store that may not answer. A question that the breaker lets pass is asked once, never again; what has not
 * answered at the deadline has failed, and should its answer come all the same, it is handed over as too late. A question of
 * several calls that fails has failed each of them.
 *
 * <p>A store whose answer is complete when it is returned has used the caller's own thread: no deadline can interrupt
 * that. Such an answer is taken however late it is, and a late one counts as a failure all the same, so that the breaker
 * opens.
 */
final class Guard {

    private final Breakers breakers;
    private final Deadlines deadlines;
    private final AwayOrBack awayOrBack;
    private final LongSupplier nanoClock;
    private final long timeoutNanos;

    Guard(Breakers breakers, Deadlines deadlines, AwayOrBack awayOrBack, LongSupplier nanoClock, long timeoutNanos) {
        this.breakers = breakers;
        this.deadlines = deadlines;
        this.awayOrBack = awayOrBack;
        this.nanoClock = nanoClock;
        this.timeoutNanos = timeoutNanos;
    }

    /** What to answer when the store does not. */
    @FunctionalInterface
    interface Instead<T> {

        /** The answer; or throws what the caller is to be told. Without a failure, the store was not even asked. */
        T of(@Nullable Throwable failure);
    }

    /**
     * Asks for one call that comes now, and answers in time.
     *
     * @param route which part of the store is asked
     * @param question asks the store; what it throws for bad input is thrown at once
     * @param instead answers when the store does not
     * @param late gets an answer that nobody waits for any more, and how many nanoseconds after the call came
     */
    <T> CompletionStage<T> ask(
            int route, Supplier<CompletionStage<T>> question, Instead<T> instead, ObjLongConsumer<T> late) {
        long now = nanoClock.getAsLong();
        return ask(route, now, now, 1, question, instead, late);
    }

    /**
     * Asks for calls that have waited, and answers in time for the oldest; where it is too late for that, without asking.
     *
     * @param since when the oldest came
     * @param calls how many there are
     */
    <T> CompletionStage<T> ask(
            int route,
            long since,
            int calls,
            Supplier<CompletionStage<T>> question,
            Instead<T> instead,
            ObjLongConsumer<T> late) {
        long now = nanoClock.getAsLong();
        if (!deadlines.isOver(since, now)) {
            return ask(route, since, now, calls, question, instead, late);
        }
        Trip<T> notSent = new Trip<>(breakers.of(route), Pass.FREE, since, calls, instead, late);
        notSent.fail(new TimeoutException("not sent within " + timeoutNanos + " ns"));
        return notSent;
    }

    private <T> CompletionStage<T> ask(
            int route,
            long since,
            long now,
            int calls,
            Supplier<CompletionStage<T>> question,
            Instead<T> instead,
            ObjLongConsumer<T> late) {
        Breaker breaker = breakers.of(route);
        Pass pass = breaker.pass(now);
        if (pass == Pass.NONE) {
            CompletableFuture<T> result = new CompletableFuture<>();
            complete(result, instead, null);
            return result;
        }
        CompletableFuture<T> asked;
        try {
            asked = question.get().toCompletableFuture();
        } catch (IllegalArgumentException | Error notAsked) {
            breaker.unused(pass, nanoClock.getAsLong());
            throw notAsked;
        } catch (RuntimeException failure) {
            asked = CompletableFuture.failedFuture(failure);
        }
        Trip<T> trip = new Trip<>(breaker, pass, since, calls, instead, late);
        return asked.isDone() ? trip.back(asked) : trip.watch(asked);
    }

    private static <T> void complete(CompletableFuture<T> result, Instead<T> instead, @Nullable Throwable failure) {
        try {
            result.complete(instead.of(failure));
        } catch (RuntimeException | Error told) {
            result.completeExceptionally(told);
        }
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** One question on its way, and the promise of its answer. Answer and deadline race; whoever silences the alarm has it. */
    private final class Trip<T> extends CompletableFuture<T> implements Runnable {

        private final Breaker breaker;
        private final Pass pass;
        private final long since;
        private final int calls;
        private final Instead<T> instead;
        private final ObjLongConsumer<T> late;

        Trip(Breaker breaker, Pass pass, long since, int calls, Instead<T> instead, ObjLongConsumer<T> late) {
            this.breaker = breaker;
            this.pass = pass;
            this.since = since;
            this.calls = calls;
            this.instead = instead;
            this.late = late;
        }

        CompletionStage<T> watch(CompletableFuture<T> asked) {
            Alarm alarm = deadlines.set(since, this);
            var unused = asked.whenComplete((answer, failure) -> arrived(alarm.off(), answer, failure));
            return this;
        }

        /** The answer came with the question. */
        CompletionStage<T> back(CompletableFuture<T> asked) {
            if (asked.isCompletedExceptionally()) {
                var unused = asked.whenComplete((answer, failure) -> fail(unwrap(failure)));
                return this;
            }
            if (nanoClock.getAsLong() - since > timeoutNanos) {
                count(new TimeoutException("answered, but too late for " + timeoutNanos + " ns"));
            } else {
                awayOrBack.succeeded(breaker, pass);
            }
            return asked;
        }

        private void arrived(boolean inTime, T answer, @Nullable Throwable failure) {
            if (inTime && failure != null) {
                fail(unwrap(failure));
            } else if (inTime) {
                awayOrBack.succeeded(breaker, pass);
            }
            if (failure == null && !(inTime && complete(answer))) {
                late.accept(answer, nanoClock.getAsLong() - since);
            }
        }

        /** The deadline. */
        @Override
        public void run() {
            fail(new TimeoutException("no answer within " + timeoutNanos + " ns"));
        }

        private void count(Throwable failure) {
            awayOrBack.failed(breaker, pass, since, calls, failure);
        }

        private void fail(Throwable failure) {
            try {
                count(failure);
            } finally {
                Guard.complete(this, instead, failure); // whatever becomes of telling others, the caller is answered
            }
        }
    }
}
