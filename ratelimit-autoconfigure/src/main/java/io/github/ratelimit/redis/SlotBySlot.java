/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call over several slots of a Redis Cluster, where no script can see all its keys: one trip per slot, in declared
 * order.
 *
 * <p>While all grant, each slot is charged in turn. The first that denies ends the charging: the slots behind it are asked
 * without being charged, and those before it are given back what they were charged. Never over-admits, because
 * nobody passes before every slot is charged; a concurrent caller may be denied by what is about to be given back.
 */
final class SlotBySlot {

    private final RedisRateLimitStore store;

    SlotBySlot(RedisRateLimitStore store) {
        this.store = store;
    }

    CompletionStage<Reservation> acquire(List<RedisCharge> charges) {
        List<List<Integer>> slots = Slots.of(charges);
        return new Round(charges, slots).next(0);
    }

    CompletionStage<List<Decision>> peek(List<RedisCharge> charges) {
        return each(charges, store::peekTogether);
    }

    CompletionStage<List<Decision>> refund(List<RedisCharge> charges) {
        return each(charges, store::refundTogether);
    }

    CompletionStage<Long> cancel(List<RedisCharge> charges, List<byte[]> dues) {
        CompletionStage<Long> restored = CompletableFuture.completedFuture(0L);
        for (List<Integer> slot : slots(charges)) {
            restored = restored.thenCompose(sum ->
                    store.cancelTogether(at(charges, slot), at(dues, slot)).thenApply(more -> sum + more));
        }
        return restored;
    }

    private CompletionStage<List<Decision>> each(
            List<RedisCharge> charges, Function<List<RedisCharge>, CompletionStage<List<Decision>>> ask) {
        Decision[] parts = new Decision[charges.size()];
        CompletionStage<Void> asked = CompletableFuture.completedFuture(null);
        for (List<Integer> slot : slots(charges)) {
            asked = asked.thenCompose(
                    done -> ask.apply(at(charges, slot)).thenAccept(answers -> place(parts, slot, answers)));
        }
        return asked.thenApply(done -> List.of(parts));
    }

    /** Everything is one place where there are no slots. */
    private List<List<Integer>> slots(List<RedisCharge> charges) {
        if (charges.isEmpty() || store.isClustered()) {
            return Slots.of(charges);
        }
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < charges.size(); i++) {
            all.add(i);
        }
        return List.of(all);
    }

    private static <T> List<T> at(List<T> all, List<Integer> positions) {
        List<T> some = new ArrayList<>(positions.size());
        for (int position : positions) {
            some.add(all.get(position));
        }
        return some;
    }

    private static void place(@Nullable Decision[] parts, List<Integer> positions, List<Decision> answers) {
        for (int i = 0; i < positions.size(); i++) {
            parts[positions.get(i)] = answers.get(i);
        }
    }

    /** The state of one call on its way from slot to slot. */
    private final class Round {

        private final List<RedisCharge> charges;
        private final List<List<Integer>> slots;
        private final @Nullable Decision[] parts;
        private final List<Hold> holds = new ArrayList<>();
        private final List<Integer> charged = new ArrayList<>();

        Round(List<RedisCharge> charges, List<List<Integer>> slots) {
            this.charges = charges;
            this.slots = slots;
            this.parts = new Decision[charges.size()];
        }

        CompletionStage<Reservation> next(int slot) {
            if (slot == slots.size()) {
                return CompletableFuture.completedFuture(new Reservation(decision(), holds));
            }
            List<Integer> positions = slots.get(slot);
            return store.reserveTogether(at(charges, positions))
                    .handle((reservation, failure) -> failure == null
                            ? seen(slot, positions, reservation)
                            : giveBack().<Reservation>thenCompose(given -> CompletableFuture.failedFuture(failure)))
                    .thenCompose(stage -> stage);
        }

        private CompletionStage<Reservation> seen(int slot, List<Integer> positions, Reservation reservation) {
            place(parts, positions, reservation.decision().parts());
            if (reservation.decision() instanceof Denied) {
                return askTheRest(slot + 1).thenCompose(asked -> giveBack()).thenApply(given -> denied());
            }
            holds.addAll(reservation.holds());
            for (int position : positions) {
                if (!(parts[position] instanceof Denied)) {
                    charged.add(position);
                }
            }
            return next(slot + 1);
        }

        private CompletionStage<Void> askTheRest(int from) {
            CompletionStage<Void> asked = CompletableFuture.completedFuture(null);
            for (List<Integer> positions : slots.subList(from, slots.size())) {
                asked = asked.thenCompose(done -> store.spareTogether(at(charges, positions))
                        .thenAccept(answers -> place(parts, positions, answers)));
            }
            return asked;
        }

        private CompletionStage<Void> giveBack() {
            CompletionStage<Void> given = CompletableFuture.completedFuture(null);
            for (List<Integer> positions : slots) {
                List<Integer> mine = new ArrayList<>(positions);
                mine.retainAll(charged);
                if (!mine.isEmpty()) {
                    given = given.thenCompose(done ->
                            store.refundTogether(at(charges, mine)).thenAccept(answers -> place(parts, mine, answers)));
                }
            }
            return given;
        }

        private Reservation denied() {
            return new Reservation(decision(), List.of());
        }

        private Decision decision() {
            return Decision.together(
                    Arrays.stream(parts).map(Objects::requireNonNull).toList());
        }
    }
}
