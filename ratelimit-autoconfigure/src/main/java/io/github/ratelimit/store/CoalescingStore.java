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
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers of one key share a trip.
 *
 * <p><b>Model.</b> While nobody else calls on a key, a call leaves at once, and all it leaves here is a mark that its key is
 * taken. Who finds that mark goes by the key's lane, which is there while somebody needs it. From a lane a few calls leave
 * at once, each alone. When these few are under way the next ones wait, and as soon as only one trip is left they leave
 * together, in the order in which they came. There is no timer and nobody waits for company: without contention nothing
 * changes, and the more callers there are, the fewer trips each needs.
 *
 * <p><b>Why a few, and then two.</b> With one trip at a time the store would be idle while an answer travels back; with two,
 * one is always there. More would make the batches smaller. But two to four callers are answered sooner each by itself than
 * taking turns. A mark is shared by keys of one hash; who finds another's goes by a lane of its own, which is as right.
 *
 * <p><b>Exact.</b> A batch is an ordered list of costs that the store decides one after the other, at one instant, each as if
 * it had come alone: a high cost that is denied takes nothing and is in no one's way. That instant lies after every
 * caller of the batch has called and before any of them is answered, so the same answers could have come from calls sent
 * one by one. Every call is sent once. Only calls on the same limit with the same numbers and the same key share a lane, and
 * only those of one limit that do not wait.
 *
 * <p><b>Example.</b> Five permits are left, and a few calls are under way. C (cost 1), D (cost 7) and E (cost 2) come and
 * wait. The few take two permits. The last but one of their answers lets C, D, E leave as one; C is granted, D denied, E granted.
 *
 * <p><b>When it goes wrong.</b> A trip that fails, fails for all its calls, and each is decided by its own limit's policy. A
 * caller who has given up is not sent; one who gives up on the way gets back what was charged. Who has waited longer than
 * a decision may take has been answered elsewhere, and is not sent either. Where those under way are overdue, who knows whether
 * they ever come back: the next caller takes all who wait along.
 *
 * <p>A lane without calls is gone, so there are never more than calls under way.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what follows a stage tells the callers
public final class CoalescingStore extends StoreInFront {

    private static final int MARKS = 1 << 14;

    private final Function<List<Charge>, CompletionStage<List<Decision>>> inTurn;
    private final long patienceNanos;
    private final LongSupplier nanoClock;
    private final ConcurrentHashMap<Lane, Lane> lanes = new ConcurrentHashMap<>();

    /** Of each hash of a key: how many are under way without a lane (one at most), and how many lanes there are. */
    private final AtomicIntegerArray marks = new AtomicIntegerArray(MARKS);

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
        int mark = mark(Lane.hash(charge.limit(), charge.key()));
        if (marks.compareAndSet(mark, 0, 1)) {
            return travelAlone(charges, mark);
        }
        Call call = new Call(charges, nanoClock.getAsLong());
        Lane lane;
        List<Call> leaving;
        do { // a new lane each time: others may have used, and closed, one that nobody but they ever entered
            Lane fresh = new Lane(charge.limit(), charge.key(), patienceNanos);
            Lane present = lanes.putIfAbsent(fresh, fresh);
            if (present == null) {
                marks.incrementAndGet(mark);
            }
            lane = present == null ? fresh : present;
            leaving = lane.enter(call);
        } while (leaving == null);
        send(lane, leaving);
        return call;
    }

    /** Nobody else is under way: without a lane. */
    private CompletionStage<Decision> travelAlone(List<Charge> charges, int mark) {
        Call call = new Call(charges, 0);
        trip(() -> store.acquire(charges)).whenComplete((decision, failure) -> {
            marks.decrementAndGet(mark);
            answer(call, decision, failure);
        });
        return call;
    }

    private static int mark(int hash) {
        int spread = hash * 0x9E3779B9;
        return (spread ^ (spread >>> 15)) & (MARKS - 1);
    }

    /** Sends a batch, and when it comes back those that wait then; an empty one is none. */
    private void send(Lane lane, List<Call> leaving) {
        List<Call> batch = leaving;
        while (!batch.isEmpty()) {
            int size = batch.size();
            List<Call> sent = inTime(batch);
            boolean onTheWay = switch (sent.size()) {
                case 0 -> false;
                case 1 ->
                    travel(lane, size, sent, trip(() -> store.acquire(sent.get(0).charges)), (decision, i) -> decision);
                default -> travel(lane, size, sent, trip(() -> inTurn.apply(charges(sent))), List::get);
            };
            if (onTheWay) {
                return;
            }
            batch = next(lane, size);
        }
    }

    /** Tells the callers when a trip comes back. Returns whether that is not yet; the next then leaves by itself, first. */
    private <T> boolean travel(Lane lane, int size, List<Call> sent, CompletableFuture<T> trip, Answers<T> answers) {
        boolean onTheWay = !trip.isDone();
        trip.whenComplete((told, failure) -> {
            if (onTheWay) {
                send(lane, next(lane, size));
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

    private List<Call> next(Lane lane, int back) {
        List<Call> next = lane.next(back, nanoClock.getAsLong());
        if (next == null) {
            lanes.remove(lane, lane);
            marks.decrementAndGet(mark(lane.hashCode()));
            return List.of();
        }
        return next;
    }

    private <T> void answer(List<Call> batch, @Nullable T told, Answers<T> answers, @Nullable Throwable failure) {
        for (int i = 0; i < batch.size(); i++) {
            answer(batch.get(i), told == null ? null : answers.of(told, i), failure);
        }
    }

    private void answer(Call call, @Nullable Decision decision, @Nullable Throwable failure) {
        if (decision == null) {
            call.completeExceptionally(unwrap(failure));
        } else if (!call.complete(decision)) {
            GiveBack.to(store, call.charges, decision);
        }
    }

    private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** How many lanes there are. */
    int lanes() {
        return lanes.size();
    }

    /** How many marks are left: none, where nobody is under way. */
    int marks() {
        int sum = 0;
        for (int i = 0; i < MARKS; i++) {
            sum += marks.get(i);
        }
        return sum;
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
