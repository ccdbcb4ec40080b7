/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.GivingBack;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One call over two stores, all or nothing: this JVM's own, which costs nothing to ask, and the shared one.
 *
 * <p>Our own limits are charged first. If they grant, the shared ones are asked; should those deny, or fail, our own
 * charges are given back. Never over-admits, because nobody passes before both have granted; a concurrent caller may be
 * denied by what is about to be given back.
 *
 * <p>If our own limits deny, the shared ones are looked at, for the numbers of the answer: a call denied here charges
 * nothing there. The look is one trip, and one more where they would have granted: what a granting limit says in a denied
 * call is its uncharged state. One more as well where the look tells of a penalty: a limit that denies by itself starts it
 * whoever else denies, so the shared limits are asked in earnest, and what they should grant meanwhile is given back.
 */
final class MixedCall {

    private final List<Charge> charges;
    private final RateLimitStore own;
    private final RateLimitStore shared;
    private final List<Charge> mine;
    private final List<Charge> theirs;

    MixedCall(List<Charge> charges, RateLimitStore own, RateLimitStore shared) {
        this.charges = charges;
        this.own = own;
        this.shared = shared;
        this.mine = charges.stream().filter(MixedCall::isMine).toList();
        this.theirs = charges.stream().filter(charge -> !isMine(charge)).toList();
    }

    CompletionStage<Reservation> reserve() {
        Reservation held = now(own.reserve(mine));
        if (held.decision() instanceof Denied denied) {
            return denyTheirs().thenApply(said -> new Reservation(together(denied.parts(), said), List.of()));
        }
        CompletionStage<Reservation> asked;
        try {
            asked = shared.reserve(theirs);
        } catch (RuntimeException | Error refused) {
            GiveBack.to(own, GivingBack.ended(held));
            throw refused;
        }
        return asked.handle((reservation, failure) -> settle(held, reservation, failure))
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Reservation> settle(
            Reservation held, @Nullable Reservation reservation, @Nullable Throwable failure) {
        if (reservation == null) {
            GiveBack.to(own, GivingBack.ended(held));
            return CompletableFuture.failedFuture(
                    failure == null ? new IllegalStateException("The store answers with nothing.") : failure);
        }
        if (reservation.decision() instanceof Denied denied) {
            GiveBack.to(own, GivingBack.ended(held));
            Decision decision = together(spared(held.decision().parts()), denied.parts());
            return CompletableFuture.completedFuture(new Reservation(decision, List.of()));
        }
        List<Hold> holds = new ArrayList<>(held.holds());
        holds.addAll(reservation.holds());
        Decision decision =
                together(held.decision().parts(), reservation.decision().parts());
        return CompletableFuture.completedFuture(new Reservation(decision, holds));
    }

    CompletionStage<Decision> peek() {
        Decision seen = now(own.peek(mine));
        if (seen instanceof Denied) {
            return lookAtTheirs().thenApply(looked -> together(seen.parts(), looked));
        }
        return shared.peek(theirs)
                .thenApply(looked ->
                        together(looked instanceof Denied ? spared(seen.parts()) : seen.parts(), looked.parts()));
    }

    CompletionStage<Decision> refund() {
        Decision given = now(own.refund(mine));
        return shared.refund(theirs).thenApply(answer -> together(given.parts(), answer.parts()));
    }

    /** What the shared limits say to a call that is denied already; those that deny it too start their penalties. */
    private CompletionStage<List<Decision>> denyTheirs() {
        return shared.peek(theirs)
                .thenCompose(seen ->
                        tellsOfAPenalty(seen) ? shared.reserve(theirs).thenCompose(this::uncharged) : uncharged(seen));
    }

    /** A look says the same of a penalty that runs and of one that the call would start. */
    private static boolean tellsOfAPenalty(Decision seen) {
        return seen.parts().stream()
                .anyMatch(part -> part instanceof Denied denied
                        && denied.reason() == DenialReason.PENALTY
                        && !denied.definition().shadow());
    }

    private CompletionStage<List<Decision>> uncharged(Reservation reservation) {
        if (!(reservation.decision() instanceof Denied)) {
            GiveBack.to(shared, GivingBack.ended(reservation));
        }
        return uncharged(reservation.decision());
    }

    private CompletionStage<List<Decision>> lookAtTheirs() {
        return shared.peek(theirs).thenCompose(this::uncharged);
    }

    /** What the shared limits have said, with the uncharged state of those that granted. */
    private CompletionStage<List<Decision>> uncharged(Decision said) {
        return said instanceof Denied
                ? CompletableFuture.completedFuture(said.parts())
                : shared.peek(free(theirs)).thenApply(state -> spared(said.parts(), state.parts()));
    }

    private List<Decision> spared(List<Decision> granted) {
        return spared(granted, now(own.peek(free(mine))).parts());
    }

    /** The state where a limit granted; its denial where a shadow limit would have denied. */
    private static List<Decision> spared(List<Decision> answers, List<Decision> state) {
        List<Decision> spared = new ArrayList<>(answers);
        for (int i = 0; i < Math.min(answers.size(), state.size()); i++) {
            if (answers.get(i).passes()) {
                spared.set(i, state.get(i));
            }
        }
        return spared;
    }

    private Decision together(List<Decision> ours, List<Decision> others) {
        Parts here = new Parts(ours);
        Parts there = new Parts(others);
        List<Decision> all = new ArrayList<>(ours.size() + others.size());
        for (Charge charge : charges) {
            (isMine(charge) ? here : there).moveNext(charge, all);
        }
        return Decision.together(all);
    }

    private static List<Charge> free(List<Charge> charges) {
        return charges.stream()
                .map(charge -> Charge.of(charge.limit(), charge.key(), 0))
                .toList();
    }

    private static boolean isMine(Charge charge) {
        return charge.limit().perInstance();
    }

    private static <T> T now(CompletionStage<T> answered) {
        return answered.toCompletableFuture().join();
    }
}
