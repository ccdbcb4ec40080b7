/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the counters, by its own clock.
 *
 * <p>Every operation is atomic over all its charges where they can be decided in one place (this JVM, one Redis, one
 * slot of a Redis Cluster). The numbers travel with every call; the store holds only what was used. A store that cannot answer
 * completes its stage exceptionally; bad input is thrown at once, and nothing is written.
 *
 * <p>Stages may complete on a thread of the store's client, or on one that answers in its place when it is too late: whoever
 * continues with user code moves it elsewhere. Who keeps such a thread has those wait that are told after him of the same trip.
 */
public interface RateLimitStore {

    /**
     * Decides all charges together: granted iff every limit grants, then all are charged, else none. Buckets may let the
     * call wait up to each {@link Charge#maxWaitMicros()}; the wait is the decision's {@code delay}.
     */
    CompletionStage<Decision> acquire(List<Charge> charges);

    /**
     * Decides like {@link #acquire}, for a thread that waits for the answer: what follows the answer is this thread's work, so
     * that nothing need be promised on its way. Bad input is thrown as there.
     *
     * @param late gets an answer that comes after the thread was interrupted
     * @throws InterruptedException if the thread was interrupted before there was an answer
     * @throws ExecutionException if the store cannot answer
     */
    default Decision acquireBlocking(List<Charge> charges, Consumer<? super Decision> late)
            throws InterruptedException, ExecutionException {
        CompletableFuture<Decision> answer = acquire(charges).toCompletableFuture();
        try {
            return answer.get();
        } catch (InterruptedException interruption) {
            var unused = answer.thenAccept(late);
            throw interruption;
        }
    }

    /**
     * The denial that a call of this one limit is known to get, if it does not wait: what {@link #acquire} would answer, for
     * which nobody need be asked. {@code null}: not known, so ask.
     */
    default Decision.@Nullable Denied knownDenial(Limit limit, String key, long cost) {
        return null;
    }

    /** Decides like {@link #acquire} and tells what is needed to {@link #cancel} while the caller waits. */
    CompletionStage<Reservation> reserve(List<Charge> charges);

    /** Answers as {@link #acquire} would, and changes nothing. */
    CompletionStage<Decision> peek(List<Charge> charges);

    /** Grants as many permits as there are, at most the charge's cost. */
    CompletionStage<PartialGrant> acquireUpTo(Charge charge);

    /**
     * Takes a reservation back: gives back what nobody reserved after it, and nothing once its time has come. What a bucket
     * lent a call that another limit makes wait is given back as far as time has not repaid it, if nobody waits behind
     * it. Windows reserve nothing: what they were charged is given back as long as it counts.
     *
     * @return how many permits were given back, summed over the charges
     */
    CompletionStage<Long> cancel(Reservation reservation);

    /**
     * Gives permits back, newest grants first, never past unused.
     *
     * @return what a call of cost 0 would be told now
     */
    CompletionStage<Decision> refund(List<Charge> charges);

    /** Forgets a key: its counter is unused again and a penalty is lifted. */
    CompletionStage<Void> reset(Limit limit, String key);

    /** Denies a key every cost of 1 or more for this long; an earlier lock that lasts longer stays. */
    CompletionStage<Void> lock(Limit limit, String key, Duration duration);
}
