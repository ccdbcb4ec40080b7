/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers of one key share a trip.
 *
 * <p><b>Model.</b> Each key has a lane while calls on it are under way: two at most. Who finds a place in it leaves at once,
 * alone. Who comes when both are taken waits, and as soon as one comes back all who wait leave together, in the order in
 * which they came. There is no timer and nobody waits for company: without contention nothing changes, and the more callers
 * there are, the fewer trips each needs.
 *
 * <p><b>Why two.</b> With one, a lane with two or three callers would leave the store idle while an answer travels back. With
 * two, one is always there. More would only make the batches smaller.
 *
 * <p><b>Exact.</b> A batch is an ordered list of costs that the store decides one after the other, at one instant, each as if
 * it had come alone: a high cost that is denied takes nothing and is in no one's way. That instant lies after every
 * caller of the batch has called and before any of them is answered, so the same answers could have come from calls sent
 * one by one. Every call is sent once. Only calls on the same limit with the same numbers and the same key share a lane, and
 * only those of one limit that do not wait.
 *
 * <p><b>Example.</b> Five permits are left. A and B are under way; C (cost 1), D (cost 7) and E (cost 2) come. A and B are granted,
 * which leaves three. The answer to A lets C, D, E leave as one; C is granted, D denied, E granted.
 *
 * <p><b>When it goes wrong.</b> A trip that fails, fails for all its calls, and each is decided by its own limit's policy. A
 * caller who has given up is not sent; one who gives up on the way gets back what was charged. Who has waited longer than
 * a decision may take has been answered elsewhere, and is not sent either. Where two calls are overdue, who knows whether they
 * ever come back: the next caller takes all who wait along.
 *
 * <p>A lane without calls is gone, so there are never more than calls under way.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what follows a stage tells the callers
public final class CoalescingStore extends StoreInFront {

    private final Function<List<Charge>, CompletionStage<List<Decision>>> inTurn;
    private final long patienceNanos;
    private final LongSupplier nanoClock;
    private final ConcurrentHashMap<Lane, Lane> lanes = new ConcurrentHashMap<>();

    /**
     * Stands before a store that does not block.
     *
     * @param store where single calls go
     * @param inTurn decides calls of one limit and key one after the other, at one instant
     * @param storeTimeout how long a decision may take
     */
    public CoalescingStore(
            RateLimitStore store,
            Function<List<Charge>, CompletionStage<List<Decision>>> inTurn,
            Duration storeTimeout) {
        this(store, inTurn, storeTimeout, System::nanoTime);
    }

    CoalescingStore(
            RateLimitStore store,
            Function<List<Charge>, CompletionStage<List<Decision>>> inTurn,
            Duration storeTimeout,
            LongSupplier nanoClock) {
        super(store);
        this.inTurn = inTurn;
        this.patienceNanos = storeTimeout.toNanos();
        this.nanoClock = nanoClock;
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        if (charges.size() != 1 || charges.get(0).maxWaitMicros() > 0) {
            return store.acquire(charges);
        }
        Charge charge = charges.get(0);
        Call call = new Call(charges, nanoClock.getAsLong());
        Lane lane;
        List<Call> leaving;
        do { // a new lane each time: others may have used, and closed, one that nobody but they ever entered
            Lane fresh = new Lane(charge.limit(), charge.key(), patienceNanos);
            Lane present = lanes.putIfAbsent(fresh, fresh);
            lane = present == null ? fresh : present;
            leaving = lane.enter(call);
        } while (leaving == null);
        send(lane, leaving);
        return call;
    }

    /** Sends a batch, and when it comes back those that wait then; an empty one is none. */
    private void send(Lane lane, List<Call> leaving) {
        List<Call> batch = leaving;
        while (!batch.isEmpty()) {
            List<Call> sent = inTime(batch);
            boolean onTheWay = switch (sent.size()) {
                case 0 -> false;
                case 1 -> travel(lane, sent, trip(() -> store.acquire(sent.get(0).charges)), (decision, i) -> decision);
                default -> travel(lane, sent, trip(() -> inTurn.apply(charges(sent))), List::get);
            };
            if (onTheWay) {
                return;
            }
            batch = next(lane);
        }
    }

    /** Tells the callers when a trip comes back. Returns whether that is not yet; the next then leaves by itself, first. */
    private <T> boolean travel(Lane lane, List<Call> sent, CompletableFuture<T> trip, Answers<T> answers) {
        boolean onTheWay = !trip.isDone();
        trip.whenComplete((told, failure) -> {
            if (onTheWay) {
                send(lane, next(lane));
            }
            answer(sent, told, answers, failure);
        });
        return onTheWay;
    }

    /** A batch without those for whom it is too late; they are told so. */
    private List<Call> inTime(List<Call> batch) {
        long now = nanoClock.getAsLong();
        if (now - batch.get(0).sinceNanos <= patienceNanos) {
            return batch;
        }
        List<Call> inTime = new ArrayList<>(batch);
        inTime.removeIf(call -> now - call.sinceNanos > patienceNanos
                && call.completeExceptionally(new TimeoutException("no place within " + patienceNanos + " ns")));
        return inTime;
    }

    private static <T> CompletableFuture<T> trip(Supplier<CompletionStage<T>> question) {
        try {
            return question.get().toCompletableFuture();
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private static List<Charge> charges(List<Call> batch) {
        List<Charge> charges = new ArrayList<>(batch.size());
        for (Call call : batch) {
            charges.add(call.charges.get(0));
        }
        return charges;
    }

    private List<Call> next(Lane lane) {
        List<Call> next = lane.next(nanoClock.getAsLong());
        if (next == null) {
            lanes.remove(lane, lane);
            return List.of();
        }
        return next;
    }

    private <T> void answer(List<Call> batch, @Nullable T told, Answers<T> answers, @Nullable Throwable failure) {
        for (int i = 0; i < batch.size(); i++) {
            Call call = batch.get(i);
            if (told == null) {
                call.completeExceptionally(unwrap(failure));
                continue;
            }
            Decision decision = answers.of(told, i);
            if (!call.complete(decision)) {
                GiveBack.to(store, call.charges, decision);
            }
        }
    }

    private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** How many lanes there are. */
    int lanes() {
        return lanes.size();
    }

    /** What a trip's answer says to each of its calls. */
    @FunctionalInterface
    private interface Answers<T> {

        Decision of(T told, int call);
    }

    /** A call with its one charge: the promise of its answer. */
    static final class Call extends CompletableFuture<Decision> {

        private final List<Charge> charges;
        final long sinceNanos;

        Call(List<Charge> charges, long sinceNanos) {
            this.charges = charges;
            this.sinceNanos = sinceNanos;
        }
    }
}
