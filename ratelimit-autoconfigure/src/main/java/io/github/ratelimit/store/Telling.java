/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.VirtualThreads;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells callers what their trip has brought: each a decision, a failure, or neither, that it has to be asked by itself.
 *
 * <p><b>Who tells.</b> An answer comes on a thread of the store's client. To wake a virtual thread from there costs several times
 * as much as to wake it from another virtual one; so one of these tells those of a trip's callers that are virtual threads. Only
 * where such a thread gets its turn even if the callers wait in monitors, which is from Java 24 on; should it not, for whatever other
 * reason, an alarm has them told in time. To wake all others takes that thread longer than all else it does, so what left because
 * of the answer is sent before.
 */
final class Telling {

    private static final Logger log = LoggerFactory.getLogger(Telling.class);

    private final RateLimitStore store;
    private final Function<Call, CompletionStage<Decision>> alone;
    private final Trips trips;
    private final LongSupplier nanoClock;

    /**
     * Tells callers.
     *
     * @param store where it is given back what a caller does not want any more
     * @param alone asks for a call by itself
     * @param trips have callers told in time, after everything is on its way that left because of their answer
     * @param nanoClock by which calls came
     */
    Telling(
            RateLimitStore store,
            Function<Call, CompletionStage<Decision>> alone,
            Trips trips,
            LongSupplier nanoClock) {
        this.store = store;
        this.alone = alone;
        this.trips = trips;
        this.nanoClock = nanoClock;
    }

    /** By virtual threads' own where there are any; nobody else waits for one of these to get its turn. */
    void all(List<Call> sent, @Nullable List<@Nullable Decision> decisions, @Nullable Throwable failure) {
        boolean byOneOfThem = VirtualThreads.areNotPinned()
                && areAny(sent, true)
                && trips.inTime(Telling::isStarted, () -> some(sent, decisions, failure, true), Call.oldest(sent));
        if (!byOneOfThem || areAny(sent, false)) {
            Runnable telling = () -> {
                some(sent, decisions, failure, false);
                if (!byOneOfThem) {
                    some(sent, decisions, failure, true);
                }
            };
            trips.tell(telling, Call.oldest(sent));
        }
    }

    private static boolean areAny(List<Call> sent, boolean ofVirtualThreads) {
        for (Call call : sent) {
            if (call.isOfVirtualThread() == ofVirtualThreads) {
                return true;
            }
        }
        return false;
    }

    private static boolean isStarted(Runnable telling) {
        try {
            VirtualThreads.run(telling);
            return true;
        } catch (RuntimeException | Error noThread) {
            log.debug("No virtual thread could be started", noThread);
            return false;
        }
    }

    /** Who travelled alone. */
    void theOnly(Call call, @Nullable Decision decision, @Nullable Throwable failure) {
        trips.tell(() -> one(call, decision, failure), call.sinceNanos());
    }

    private void some(
            List<Call> sent,
            @Nullable List<@Nullable Decision> decisions,
            @Nullable Throwable failure,
            boolean ofVirtualThreads) {
        for (int i = 0; i < sent.size(); i++) {
            Call call = sent.get(i);
            if (call.isOfVirtualThread() == ofVirtualThreads) {
                oneOfMany(call, decisions == null ? null : decisions.get(i), failure);
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what follows the stage tells the caller
    private void oneOfMany(Call call, @Nullable Decision decision, @Nullable Throwable failure) {
        if (decision != null || failure != null) {
            one(call, decision, failure);
        } else if (!call.isDone()) {
            alone.apply(call).whenComplete((own, mistake) -> one(call, own, mistake));
        }
    }

    /** The decision, or the failure where there is none. Who has given up gets back what was charged. */
    void one(Call call, @Nullable Decision decision, @Nullable Throwable failure) {
        if (decision == null) {
            call.completeExceptionally(unwrap(failure));
        } else if (!call.complete(decision)) {
            GiveBack.to(store, call.charges(), decision, nanoClock.getAsLong() - call.sinceNanos());
        }
    }

    private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
