/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.GivingBack;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of several counters in a Redis Cluster, where no script can see keys of two slots: one trip per slot, in declared
 * order. Of a slot that moves to another node, with some keys here and others there, no script can see two keys: such a slot
 * is asked counter by counter.
 *
 * <p>While all grant, each slot is charged in turn. The first that denies ends the charging: the slots behind it are asked
 * without being charged, and those before it are given back what they were charged. So are they when a slot fails; one
 * that cannot be given back keeps no other from it. Never over-admits, because nobody passes before every slot is
 * charged; a concurrent caller may be denied by what is about to be given back.
 */
final class SlotBySlot {

    private final ScriptCalls calls;

    SlotBySlot(ScriptCalls calls) {
        this.calls = calls;
    }

    CompletionStage<Reservation> acquire(List<RedisCharge> charges) {
        List<List<Integer>> slots = Slots.of(charges);
        return new Round(charges, slots).next(0);
    }

    /** Each slot answers for itself: as if no other denied. */
    CompletionStage<List<Decision>> peek(List<RedisCharge> charges) {
        return each(charges, calls::peek);
    }

    CompletionStage<List<Decision>> refund(List<RedisCharge> charges) {
        return each(charges, calls::refund);
    }

    CompletionStage<Long> cancel(List<RedisCharge> charges, List<byte[]> dues) {
        LongAdder restored = new LongAdder();
        return inEach(
                        slots(charges),
                        slot -> calls.cancel(at(charges, slot), at(dues, slot)).thenAccept(restored::add))
                .thenApply(done -> restored.sum());
    }

    private CompletionStage<List<Decision>> each(
            List<RedisCharge> charges, Function<List<RedisCharge>, CompletionStage<List<Decision>>> ask) {
        Decision[] parts = new Decision[charges.size()];
        return inEach(
                        slots(charges),
                        slot -> ask.apply(at(charges, slot)).thenAccept(answers -> place(parts, slot, answers)))
                .thenApply(done -> List.of(parts));
    }

    /** One slot after the other, whatever became of those before; fails as the first that failed. */
    private static CompletionStage<Void> inEach(
            List<List<Integer>> slots, Function<List<Integer>, CompletionStage<Void>> ask) {
        CompletionStage<Void> asked = CompletableFuture.completedFuture(null);
        for (List<Integer> slot : slots) {
            asked = evenAfter(asked, () -> together(slot, ask));
        }
        return asked;
    }

    private static CompletionStage<Void> together(
            List<Integer> slot, Function<List<Integer>, CompletionStage<Void>> ask) {
        return ask.apply(slot)
                .exceptionallyCompose(failure -> mustBeAskedOneByOne(slot, failure)
                        ? inEach(oneByOne(slot), ask)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Whether only counters by themselves can be asked: nothing was run then. */
    private static boolean mustBeAskedOneByOne(List<Integer> slot, Throwable failure) {
        return slot.size() > 1 && RedisFailures.isTryAgain(failure);
    }

    private static List<List<Integer>> oneByOne(List<Integer> slot) {
        return slot.stream().map(List::of).toList();
    }

    /** The second, whatever becomes of the first; fails as the first that failed. */
    private static CompletionStage<Void> evenAfter(
            CompletionStage<Void> first, Supplier<CompletionStage<Void>> second) {
        return first.handle((done, failure) ->
                        failure == null ? second.get() : SlotBySlot.<Void>failAfter(second.get(), failure))
                .thenCompose(stage -> stage);
    }

    private static <T> CompletionStage<T> failAfter(CompletionStage<Void> last, Throwable failure) {
        return last.handle((done, another) -> failure).thenCompose(CompletableFuture::failedFuture);
    }

    /** Everything is one place where there are no slots. */
    private List<List<Integer>> slots(List<RedisCharge> charges) {
        if (charges.isEmpty() || calls.isClustered()) {
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
        /** Those ahead, behind those that were asked. */
        private final List<List<Integer>> slots;

        private final @Nullable Decision[] parts;
        private final List<Hold> holds = new ArrayList<>();
        private final List<Reservation> backs = new ArrayList<>();

        Round(List<RedisCharge> charges, List<List<Integer>> slots) {
            this.charges = charges;
            this.slots = new ArrayList<>(slots);
            this.parts = new Decision[charges.size()];
        }

        CompletionStage<Reservation> next(int slot) {
            if (slot == slots.size()) {
                return CompletableFuture.completedFuture(new Reservation(decision(), holds));
            }
            List<Integer> positions = slots.get(slot);
            return calls.reserve(at(charges, positions))
                    .handle((reservation, failure) -> {
                        if (failure == null) {
                            return seen(slot, positions, reservation);
                        }
                        return mustBeAskedOneByOne(positions, failure)
                                ? nextOneByOne(slot)
                                : SlotBySlot.<Reservation>failAfter(giveBack(), failure);
                    })
                    .thenCompose(stage -> stage);
        }

        private CompletionStage<Reservation> nextOneByOne(int slot) {
            slots.addAll(slot, oneByOne(slots.remove(slot)));
            return next(slot);
        }

        private CompletionStage<Reservation> seen(int slot, List<Integer> positions, Reservation reservation) {
            place(parts, positions, reservation.decision().parts());
            if (reservation.decision() instanceof Denied) {
                return evenAfter(askTheRest(slot + 1), this::giveBack).thenApply(given -> denied());
            }
            holds.addAll(reservation.holds());
            backs.add(GivingBack.ended(reservation));
            return next(slot + 1);
        }

        private CompletionStage<Void> askTheRest(int from) {
            return inEach(
                    slots.subList(from, slots.size()),
                    positions -> calls.spare(at(charges, positions))
                            .thenAccept(answers -> place(parts, positions, answers)));
        }

        private CompletionStage<Void> giveBack() {
            CompletionStage<Void> given = CompletableFuture.completedFuture(null);
            for (Reservation back : backs) {
                given = evenAfter(given, () -> cancel(back.holds()));
            }
            return given;
        }

        private CompletionStage<Void> cancel(List<Hold> holds) {
            List<Integer> mine = positions(holds.stream().map(Hold::charge).toList());
            if (mine.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            Map<Integer, byte[]> dues = new HashMap<>();
            for (int i = 0; i < mine.size(); i++) {
                dues.put(mine.get(i), charges.get(mine.get(i)).due(holds.get(i)));
            }
            return together(
                    mine,
                    some -> calls.takeBack(
                                    at(charges, some),
                                    some.stream().map(dues::get).toList())
                            .thenAccept(answers -> place(parts, some, answers)));
        }

        /** Where these charges stand in the call, which has one per counter. */
        private List<Integer> positions(List<Charge> some) {
            List<Charge> all = charges.stream().map(RedisCharge::charge).toList();
            return some.stream().map(all::indexOf).toList();
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
