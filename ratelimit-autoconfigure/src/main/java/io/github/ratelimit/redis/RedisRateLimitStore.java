/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.algorithm.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Counts in Redis, by Redis's clock, so that every instance of the application shares the count.
 *
 * <p>All charges of a call that live in one place are one script and one trip. In a Redis Cluster that is one trip per
 * slot, see {@link SlotBySlot}.
 */
public final class RedisRateLimitStore implements RateLimitStore, AutoCloseable {

    private static final Limit UNUSED = Limit.named("unused")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .permits(1)
            .period(Duration.ofSeconds(1))
            .build();

    private final RedisTransport transport;
    private final ChargeBook book;
    private final ScriptCalls calls;
    private final SlotBySlot slots;

    /** A store whose keys begin with the prefix. */
    public RedisRateLimitStore(RedisTransport transport, String keyPrefix) {
        this(transport, keyPrefix, new Scripts());
    }

    RedisRateLimitStore(RedisTransport transport, String keyPrefix, Scripts scripts) {
        this.transport = transport;
        this.book = new ChargeBook(keyPrefix, transport.readsLoneIntegers());
        this.calls = new ScriptCalls(transport, scripts);
        this.slots = new SlotBySlot(calls);
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        List<RedisCharge> all = book.enter(charges);
        if (all.size() == 1 && all.get(0).charge().maxWaitMicros() == 0) {
            return calls.acquireAtOnce(all.get(0));
        }
        return mayBeDivided(all) ? slots.acquire(all).thenApply(Reservation::decision) : calls.acquire(all);
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        List<RedisCharge> all = book.enter(charges);
        return mayBeDivided(all) ? slots.acquire(all) : calls.reserve(all);
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        List<RedisCharge> all = book.enter(charges);
        return (mayBeDivided(all) ? slots.peek(all) : calls.peek(all)).thenApply(Decision::together);
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        return calls.acquireUpTo(enter(charge));
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        List<RedisCharge> all = new ArrayList<>();
        List<byte[]> dues = new ArrayList<>();
        for (Hold hold : reservation.toTakeBack()) {
            RedisCharge charge = enter(hold.charge());
            all.add(charge);
            dues.add(charge.due(hold));
        }
        return slots.cancel(all, dues);
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        return slots.refund(book.enter(charges)).thenApply(Decision::together);
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return transport.delete(enter(Charge.of(limit, key, 0)).key());
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        long micros = Locks.micros(limit, duration);
        return micros == 0
                ? CompletableFuture.completedFuture(null)
                : calls.lock(enter(Charge.of(limit, key, 0)), micros);
    }

    /**
     * Decides calls in one trip, each as if it had come alone: those of one limit and key one after the other in this order,
     * all in the same instant. A call that cannot be decided beside others is left undecided: {@code null}.
     *
     * @param charges one per call, none waits; of several limits or keys only where {@link #sharesTrips} says so
     */
    public CompletionStage<List<@Nullable Decision>> acquireInTurn(List<Charge> charges) {
        Batch batch = new Batch(charges, this::enter);
        List<CallsInTurn> counters = batch.counters();
        if (counters.size() > 1) {
            return calls.acquireTogether(counters).thenApply(batch::inOrder);
        }
        CompletionStage<List<@Nullable Decision>> answers = calls.acquireInTurn(counters.get(0));
        return batch.isWhole() ? answers : answers.thenApply(some -> batch.inOrder(List.of(some)));
    }

    /** Whether calls of this charge may share a trip with those of other keys: usual ones, where all keys are in one place. */
    public boolean sharesTrips(Charge charge) {
        return !transport.isClustered() && book.isUsual(charge.limit());
    }

    /** Whether calls answer on the caller's thread, and keep it until then. */
    public boolean isBlocking() {
        return transport.isBlocking();
    }

    /**
     * Opens the connection and looks at a counter nobody uses, so that the first call need not wait for anything; ends
     * exceptionally where Redis does not answer, or not us.
     */
    public CompletionStage<Void> prepare() {
        return transport
                .prepare()
                .thenCompose(open -> peek(List.of(Charge.of(UNUSED, "", 0))))
                .thenAccept(seen -> {});
    }

    /** Which part of Redis a call concerns, a number below 128: in a cluster a range of slots, elsewhere always 0. */
    public int route(List<Charge> charges) {
        return transport.isClustered() ? Slots.route(book.enter(charges)) : 0;
    }

    /** Whether the current thread is the one on which all answers arrive. */
    public boolean isWhereAnswersArrive() {
        return transport.isWhereAnswersArrive();
    }

    /** Has a task run on the thread on which all answers arrive, see {@link RedisTransport#runWhereAnswersArrive}. */
    public boolean runWhereAnswersArrive(Runnable task) {
        return transport.runWhereAnswersArrive(task);
    }

    /** Redis does not answer: looks for it anew, beside what is under way. May be called often. */
    public void renew() {
        transport.renew();
    }

    /** Closes the connections there are; the next call opens another. */
    public void disconnect() {
        transport.disconnect();
    }

    /** Who wants to know whenever a state lay too far in the future to be believed, and counted as unused. */
    public void onHealing(Runnable listener) {
        calls.onHealing(listener);
    }

    @Override
    public void close() {
        transport.close();
    }

    private RedisCharge enter(Charge charge) {
        return book.enter(List.of(charge)).get(0);
    }

    /** Whether keys of one call may be in several places: then it may be charged in part, and given that back. */
    public boolean mayDivideCalls() {
        return transport.isClustered();
    }

    private boolean mayBeDivided(List<RedisCharge> charges) {
        return charges.size() > 1 && mayDivideCalls();
    }
}
