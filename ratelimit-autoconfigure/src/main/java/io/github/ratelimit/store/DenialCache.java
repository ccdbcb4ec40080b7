/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a denial while it is known to hold, without asking again.
 *
 * <p><b>Model.</b> A denial says when the same call would be granted if nobody else called: {@code retryAfter}, r. Whoever
 * calls meanwhile and is granted only postpones that. So from the instant of the denial until r later every call of that
 * cost, or a higher one, would be denied as well, and asking is a waste. The instant of the denial is the store's; what
 * this JVM knows is that it lies after the instant m at which the question was sent. Until m + r the denial holds for
 * certain. A grant through this instance, of a lower cost or to a caller who waits, makes the times of a remembered denial too
 * short; it is forgotten. So is one under way meanwhile: who hears first is not who was decided first.
 *
 * <p><b>Example.</b> Asked at m = 10.000 s, denied with r = 400 ms, heard at 10.002 s. A call at 10.100 s is denied here, and
 * told to come back in 302 ms: at 10.402 s, when the store's 400 ms are over whenever they began. A call at 10.400 s is
 * asked of the store.
 *
 * <p><b>Looking ahead.</b> Nothing is believed for longer than a second. Of a denial that ends later, and that callers go on asking
 * for, the first caller after three quarters of that second has the store asked whether it still holds: a peek, which charges
 * nothing, and for which nobody waits. If it does, it is remembered from the instant of that question. So callers of a key that
 * is called on all the time hardly ever wait to hear that it stays denied. Nothing new is learned that way: a denial that would end
 * later than was said is not taken over. A peek writes nothing, and what only a call can write (a bucket cut to new numbers)
 * would never be written.
 *
 * <p><b>What can make it wrong</b>, and what is done about it:
 *
 * <ul>
 *   <li>Permits given back: refund, reset, cancelled wait, lock lifted, an answer that came too late, a call that was charged in
 *       one slot of a cluster and denied in another. Through this instance, a denial sent before that
 *       is forgotten at once. Elsewhere it happens unheard, and so does what a call of several slots gives back past its
 *       deadline: so nothing is believed for longer than a second.
 *   <li>Other numbers. They are another {@link Limit}, and another memory. What others do to a shared bucket with other
 *       numbers, or to the store's clock, is heard of within that second.
 *   <li>A call that may wait, or is paced: it is granted what a denied one is not. Several limits: a
 *       denial of all tells nothing of one. A denial that starts a penalty has another reason; a shadow limit's is none.
 *   <li>A store that is away: then each limit's policy decides. What it says comes with a limit of its own, so that it is
 *       never remembered, and what the store said before is not repeated.
 * </ul>
 *
 * <p>For another cost, the numbers of the answer have to be worked out. That is possible for buckets that refill steadily,
 * where each further permit takes as long as any other. For the rest the store is asked. Remaining permits of a cost above 1
 * are told as they were heard.
 */
public final class DenialCache extends StoreInFront {

    private final BooleanSupplier away;
    private final BooleanSupplier divides;
    private final LongSupplier nanoClock;
    private final Denials denials;

    /**
     * Stands before a store.
     *
     * @param store where calls are counted
     * @param away whether it is known not to answer at this moment
     * @param looksAhead whether it is asked beside the calls if a denial still holds: not where that would keep a caller
     * @param divides whether a call of several charges may be charged in part, and given that back
     */
    public DenialCache(RateLimitStore store, BooleanSupplier away, boolean looksAhead, BooleanSupplier divides) {
        this(store, away, looksAhead, divides, System::nanoTime);
    }

    DenialCache(
            RateLimitStore store,
            BooleanSupplier away,
            boolean looksAhead,
            BooleanSupplier divides,
            LongSupplier nanoClock) {
        super(store);
        this.away = away;
        this.divides = divides;
        this.nanoClock = nanoClock;
        this.denials = new Denials(looksAhead ? new LookAhead(store, nanoClock)::look : (known, among) -> {});
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        if (!isRepeatable(charges)) {
            return store.acquire(charges).whenComplete((decision, failure) -> notice(charges, decision));
        }
        Charge charge = charges.get(0);
        long sent = nanoClock.getAsLong();
        Denied known = denials.recall(charge.limit(), charge.key(), charge.cost(), sent);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        long mark = denials.mark(charge);
        return store.acquire(charges).thenApply(decision -> hear(charge, mark, sent, decision));
    }

    @Override
    public Decision acquireBlocking(List<Charge> charges, Consumer<? super Decision> late)
            throws InterruptedException, ExecutionException {
        if (!isRepeatable(charges)) {
            return acquireOther(charges, late);
        }
        Charge charge = charges.get(0);
        long sent = nanoClock.getAsLong();
        Denied known = denials.recall(charge.limit(), charge.key(), charge.cost(), sent);
        if (known != null) {
            return known;
        }
        long mark = denials.mark(charge);
        return hear(
                charge,
                mark,
                sent,
                store.acquireBlocking(charges, decision -> late.accept(hear(charge, mark, sent, decision))));
    }

    private Decision acquireOther(List<Charge> charges, Consumer<? super Decision> late)
            throws InterruptedException, ExecutionException {
        Decision decision = null;
        try {
            decision = store.acquireBlocking(charges, coming -> {
                notice(charges, coming);
                late.accept(coming);
            });
            return decision;
        } finally {
            notice(charges, decision);
        }
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        return store.reserve(charges)
                .whenComplete(
                        (reservation, failure) -> notice(charges, reservation == null ? null : reservation.decision()));
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        return store.acquireUpTo(charge)
                .whenComplete((grant, failure) -> notice(List.of(charge), grant == null ? null : grant.decision()));
    }

    /** {@inheritDoc} Straight from the limit's name and the key to the answer: the one thing it allocates, but for who looks ahead. */
    @Override
    public @Nullable Denied knownDenial(Limit limit, String key, long cost) {
        return !isRepeatable(limit, cost) || away.getAsBoolean()
                ? null
                : denials.recall(limit, key, cost, nanoClock.getAsLong());
    }

    /** Whether denials of such a call are alike, and the store's own. */
    private boolean isRepeatable(List<Charge> charges) {
        if (charges.size() != 1 || away.getAsBoolean()) {
            return false;
        }
        Charge charge = charges.get(0);
        return charge.maxWaitMicros() == 0 && isRepeatable(charge.limit(), charge.cost());
    }

    private static boolean isRepeatable(Limit limit, long cost) {
        return cost > 0 && !limit.paced();
    }

    private Decision hear(Charge charge, long mark, long sent, Decision decision) {
        if (isSpent(decision, charge)) {
            denials.remember(charge, mark, sent, nanoClock.getAsLong(), (Denied) decision);
        } else if (decision.passes()) {
            denials.postpone(charge);
        }
        return decision;
    }

    /** What became of a call whose own denial is not repeated; {@code null}: the store has failed. */
    private void notice(List<Charge> charges, @Nullable Decision decision) {
        boolean mayBeDivided = charges.size() > 1 && divides.getAsBoolean();
        if (mayBeDivided && (decision == null || !isGrantedByStore(decision, charges))) {
            charges.forEach(charge -> forget(charge.limit(), charge.key()));
        } else if (decision != null && decision.passes()) {
            charges.forEach(denials::postpone);
        }
    }

    /** Whether the store has charged all of a call, so that nothing was given back. */
    private static boolean isGrantedByStore(Decision decision, List<Charge> charges) {
        return decision.passes()
                && decision.parts().stream()
                        .allMatch(part -> charges.stream().anyMatch(charge -> isOfStore(part, charge)));
    }

    /** Something was given back, or may have been: what was denied before is not believed any more. */
    public void forget(Limit limit, String key) {
        denials.forget(limit, key);
    }

    /** Whether the store itself has denied a call for want of permits. */
    static boolean isSpent(Decision decision, Charge charge) {
        return decision instanceof Denied denied
                && denied.reason() == DenialReason.PERMITS_SPENT
                && isOfStore(decision, charge);
    }

    /** Whether it is the store's own answer. */
    @SuppressWarnings("ReferenceEquality") // a standby answers with a limit of its own
    static boolean isOfStore(Decision decision, Charge charge) {
        return (decision instanceof Denied denied && denied.definition() == charge.limit())
                || (decision instanceof Allowed allowed && allowed.definition() == charge.limit());
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        return store.cancel(reservation)
                .whenComplete((given, failure) -> reservation
                        .holds()
                        .forEach(hold ->
                                forget(hold.charge().limit(), hold.charge().key())));
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        return store.refund(charges)
                .whenComplete((state, failure) -> charges.forEach(charge -> forget(charge.limit(), charge.key())));
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return store.reset(limit, key).whenComplete((done, failure) -> denials.forget(limit, key));
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        return store.lock(limit, key, duration).whenComplete((done, failure) -> denials.forget(limit, key));
    }
}
