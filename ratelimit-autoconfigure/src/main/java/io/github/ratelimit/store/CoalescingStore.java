/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Lets callers share trips.
 *
 * <p><b>Model.</b> A lane holds the calls that may travel together. While few are under way whoever comes leaves at once.
 * Then the next ones wait. They leave together, in the order in which they came, when nobody is under way any more, or beside one
 * other trip when they are as many as its calls. Nobody waits for a time to pass, or for company while few are under way:
 * the more callers there are, the fewer trips each needs.
 *
 * <p><b>From where.</b> Calls of the common lane leave from the thread that carries them, as soon as it has time: it reads, tells
 * and sends for all, so a call has to wait for it anyway, and whoever comes meanwhile leaves along with it. Those of virtual
 * threads leave by themselves: there are many, and that one thread would be what all wait for. Callers are told after the next
 * trip is sent, see {@link Departures}. Where that thread finds no time for either, an alarm sees to it, see {@link Trips}.
 *
 * <p><b>Which lane.</b> Usual calls (the store says which) share one lane for all limits and keys: a trip decides what it
 * finds there, key by key. All others share trips with those on their own key only. While nobody else calls on such a key, a
 * call leaves at once, and all it leaves here is a mark that its key is taken; who finds that mark goes by the key's lane,
 * which is there while somebody needs it. A mark is shared by keys of one hash; who finds another's goes by a lane of its own,
 * which is as right.
 *
 * <p><b>Why a few, and then two.</b> With one trip at a time the store would be idle while an answer travels back; with two,
 * one is always there. Were a second trip to leave with whoever comes first, large trips and trips of one call would take turns;
 * of the same size they stay large. But two to four callers are answered sooner each by itself than taking turns.
 *
 * <p><b>Exact.</b> A trip is an ordered list of costs for each key that the store decides one after the other, at one instant,
 * each as if it had come alone: a high cost that is denied takes nothing and is in no one's way. That instant lies after every
 * caller of the trip has called and before any of them is answered, so the same answers could have come from calls sent
 * one by one. Every call is decided once: what a trip leaves undecided was not charged, and is asked by itself. Only calls of
 * one limit that do not wait share trips.
 *
 * <p><b>Example.</b> Five permits are left, and four calls are under way. C (cost 1), D (cost 7) and E (cost 2) come and
 * wait. The four take two permits. When three of them are back C, D, E are more than are under way, and leave as one; C is granted, D
 * denied, E granted.
 *
 * <p><b>When it goes wrong.</b> Whoever makes the trips answers in time for the oldest of the calls, by each one's own policy
 * if need be. So that nobody is decided in haste for another's sake, who has waited for more than half the time that a decision
 * may take travels apart from those who have not. A caller who has given up is not sent; one who gives up on the way gets back
 * what was charged.
 *
 * <p>A key's lane without calls is gone, so there are never more than calls under way.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what follows a stage tells the callers
public final class CoalescingStore extends StoreInFront {

    private static final int MARKS = 1 << 14;

    private final Trips trips;
    private final Departures departures;
    private final Predicate<Charge> mixes;
    private final long longNanos;
    private final LongSupplier nanoClock;
    private final Lane common;
    private final ConcurrentHashMap<Lane, Lane> lanes = new ConcurrentHashMap<>();

    /** Of each hash of a key: how many are under way without a lane (one at most), and how many lanes there are. */
    private final AtomicIntegerArray marks = new AtomicIntegerArray(MARKS);

    /**
     * Stands before a store that does not block.
     *
     * @param store where calls go that share nothing, and what is given back
     * @param trips where all others go
     * @param mixes whether a call may share a trip with those of other keys, too
     * @param storeTimeout how long a decision may take
     */
    public CoalescingStore(RateLimitStore store, Trips trips, Predicate<Charge> mixes, Duration storeTimeout) {
        this(store, trips, mixes, storeTimeout, System::nanoTime);
    }

    CoalescingStore(
            RateLimitStore store, Trips trips, Predicate<Charge> mixes, Duration storeTimeout, LongSupplier nanoClock) {
        super(store);
        this.trips = trips;
        this.departures = new Departures(store, trips, nanoClock, this::forget);
        this.mixes = mixes;
        this.longNanos = storeTimeout.toNanos() / 2;
        this.common = Lane.ofAll(longNanos);
        this.nanoClock = nanoClock;
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        if (charges.size() != 1 || charges.get(0).maxWaitMicros() > 0) {
            return store.acquire(charges);
        }
        if (trips.isKeptAway(charges)) {
            return trips.alone(charges, nanoClock.getAsLong());
        }
        Call call = new Call(charges, nanoClock.getAsLong());
        return mixes.test(call.charge()) ? byCommonLane(call) : byLaneOfKey(call);
    }

    private CompletionStage<Decision> byCommonLane(Call call) {
        if (call.isOfVirtualThread()) {
            departures.send(common, Objects.requireNonNull(common.enter(call)));
        } else if (common.queue(call)) {
            sendSoon(call.sinceNanos());
        }
        return call;
    }

    private void sendSoon(long sinceNanos) {
        boolean leaves = false;
        try {
            leaves = trips.departSoon(this::sendWhoWait, sinceNanos);
        } finally {
            if (!leaves) {
                sendWhoWait();
            }
        }
    }

    private void sendWhoWait() {
        departures.send(common, common.leave(nanoClock.getAsLong()));
    }

    private CompletionStage<Decision> byLaneOfKey(Call call) {
        Charge charge = call.charge();
        int mark = mark(Lane.hash(charge.limit(), charge.key()));
        if (marks.compareAndSet(mark, 0, 1)) {
            return travelAlone(call, mark);
        }
        Lane lane;
        List<Call> leaving;
        do { // a new lane each time: others may have used, and closed, one that nobody but they ever entered
            Lane fresh = new Lane(charge.limit(), charge.key(), longNanos);
            Lane present = lanes.putIfAbsent(fresh, fresh);
            if (present == null) {
                marks.incrementAndGet(mark);
            }
            lane = present == null ? fresh : present;
            leaving = lane.enter(call);
        } while (leaving == null);
        departures.send(lane, leaving);
        return call;
    }

    /** Nobody else is under way: without a lane. */
    private CompletionStage<Decision> travelAlone(Call call, int mark) {
        departures.alone(call).whenComplete((decision, failure) -> {
            marks.decrementAndGet(mark);
            departures.tell(call, decision, failure);
        });
        return call;
    }

    private static int mark(int hash) {
        int spread = hash * 0x9E3779B9;
        return (spread ^ (spread >>> 15)) & (MARKS - 1);
    }

    private void forget(Lane lane) {
        lanes.remove(lane, lane);
        marks.decrementAndGet(mark(lane.hashCode()));
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
}
