/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * A decision in time, whatever the shared store does. While it answers, this store adds nothing. A call it does not
 * answer before the deadline, or answers with a failure, is decided by each limit's failure policy ({@link Standby});
 * after a few such calls in a row it is no longer asked ({@link Breaker}), until one call in a while finds it well again.
 *
 * <p>No call is asked twice. One that was charged after its deadline is given back as soon as that is known.
 *
 * <p>A store that blocks the caller's thread cannot be cut short from here: its own timeout holds, and the breaker spares
 * all other calls. Bad input is thrown as ever; it is no failure.
 *
 * <p>In an outage, peeking and refunding are answered like calls: locally, or as uncounted or unavailable. A reservation
 * that was made locally is cancelled locally, at any time. Where only the shared store could help, the stage fails with a
 * {@link RateLimitStoreException}: cancelling what it holds, resetting, locking. After a timeout that may have happened
 * nevertheless. Resetting and locking hold for the local counters in any case.
 */
public final class SteadfastStore implements RateLimitStore, AutoCloseable {

    /** Two pauses and the probes between them stay below the five seconds a return may take: the first probe may only find
     * that the way to the store has to be opened anew. */
    private static final long LONGEST_PAUSE_NANOS = 2_000_000_000L;

    private final HeardBacks shared;
    private final RateLimitStore local;
    private final LocalShare share;
    private final Deadlines deadlines;
    private final Outage outage;
    private final AwayOrBack awayOrBack;
    private final GuardedStore guarded;
    private final SteadfastTrips trips;

    /**
     * Stands before a shared store.
     *
     * @param remote the store that all instances share
     * @param local counts while the shared store is away; answers at once, as a store in this JVM does
     * @param storeTimeout how long a decision may take
     * @param localShare the part of the permits that this instance may grant alone, above 0 and up to 1
     * @param health hears of failures
     */
    public SteadfastStore(
            Remote remote, RateLimitStore local, Duration storeTimeout, double localShare, StoreHealth health) {
        this(
                remote,
                local,
                storeTimeout,
                localShare,
                health,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextDouble());
        DeadlineThread.start(deadlines, DeadlineThread.tickNanos(storeTimeout.toNanos()));
    }

    /** With another clock, and without a thread: somebody else rings the deadlines. */
    SteadfastStore(
            Remote remote,
            RateLimitStore local,
            Duration storeTimeout,
            double localShare,
            StoreHealth health,
            LongSupplier nanoClock,
            DoubleSupplier random) {
        if (storeTimeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(
                    "ratelimit.store-timeout = " + storeTimeout + " leaves no time. Use 1 ms or more.");
        }
        this.shared = new HeardBacks(remote.store());
        this.local = local;
        this.share = new LocalShare(localShare);
        long timeout = storeTimeout.toNanos();
        // An alarm rings up to a tick late, and its answer takes a moment: two ticks earlier is in time.
        this.deadlines =
                new Deadlines(nanoClock, Math.max(timeout / 2, timeout - 2 * DeadlineThread.tickNanos(timeout)));
        Breakers breakers =
                new Breakers(notClosed -> new Breaker(nanoClock.getAsLong(), LONGEST_PAUSE_NANOS, random, notClosed));
        this.outage = new Outage(health, remote.address());
        this.awayOrBack = new AwayOrBack(breakers, deadlines, outage, remote.renewal(), nanoClock);
        Guard guard = new Guard(breakers, deadlines, awayOrBack, nanoClock, timeout);
        Standby standby = new Standby(local, share);
        this.guarded = new GuardedStore(shared, remote.route(), guard, standby);
        this.trips = new SteadfastTrips(shared, remote, guard, awayOrBack, standby, deadlines);
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        notEmpty(charges);
        for (int i = 0; i < charges.size(); i++) {
            if (charges.get(i).maxWaitMicros() > 0) {
                return reserve(charges).thenApply(Reservation::decision);
            }
        }
        return guarded.acquire(charges);
    }

    /** The same for calls that share trips. */
    public Trips trips() {
        return trips;
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        return guarded.reserve(notEmpty(charges));
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        return guarded.peek(notEmpty(charges));
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        return guarded.acquireUpTo(charge);
    }

    /** {@inheritDoc} What was reserved locally is cancelled locally. */
    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        if (reservation.holds().isEmpty()) {
            return CompletableFuture.completedFuture(0L);
        }
        boolean heldHere = share.isMade(reservation.holds().get(0).charge().limit());
        return heldHere ? local.cancel(reservation) : guarded.cancel(reservation);
    }

    /** {@inheritDoc} What a local hold says was charged is given back locally; anything else where calls are counted now. */
    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        return share.isMade(notEmpty(charges)) ? local.refund(charges) : guarded.refund(charges);
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return local.reset(share.of(limit), key).thenCompose(here -> guarded.reset(limit, key));
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        return local.lock(share.of(limit), key, duration).thenCompose(here -> guarded.lock(limit, key, duration));
    }

    /** The shared store was found to be away, before anybody asked it anything: warns, and sends no call until it is back. */
    public void lost(Throwable failure) {
        awayOrBack.lost(failure);
    }

    /** Who wants to know whenever a key of the shared store was given something back, reset or locked, late answers among it. */
    public void onGivenBack(BiConsumer<Limit, String> listener) {
        shared.onGivenBack(listener);
    }

    /** A counter of the shared store lay too far in the future to be believed. */
    public void clockJumped() {
        outage.failedOnce(StoreFailure.CLOCK);
    }

    /** Whether calls are kept away from the shared store, or from a part of it, at this moment. */
    public boolean isAway() {
        return awayOrBack.isKeepingAway();
    }

    /** The way to the shared store is about to be closed: what fails from now on is no outage and is not told. */
    public void pause() {
        awayOrBack.paused(true);
    }

    /** Calls may reach the shared store again. */
    public void resume() {
        awayOrBack.paused(false);
    }

    /** Answers what is under way, and whatever comes, without waiting for the shared store. Closes no store. */
    @Override
    public void close() {
        deadlines.close();
    }

    /** Rings the deadlines that are due: for those who have no thread for it. */
    void ring() {
        deadlines.ring();
    }

    private static List<Charge> notEmpty(List<Charge> charges) {
        if (charges.isEmpty()) {
            throw new IllegalArgumentException("A call without charges has no decision.");
        }
        return charges;
    }
}
