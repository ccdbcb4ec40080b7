/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls that share a trip, those on one counter together and in the order in which they came. Of several sets of numbers for one counter
 * those of the first call travel: all keys of a trip are read ahead of all writes, so the others would count from what was there before.
 */
final class Batch {

    private final List<CallsInTurn> counters;
    private final List<List<Integer>> places = new ArrayList<>();
    private final int size;

    private record Counted(String limit, String shape, String key) {

        static Counted by(Charge charge) {
            Limit limit = charge.limit();
            return new Counted(limit.name(), limit.shape(), charge.key());
        }
    }

    /** Calls, each of one charge; what enters a charge is asked once per counter. */
    Batch(List<Charge> calls, Function<Charge, RedisCharge> entry) {
        size = calls.size();
        counters =
                areOfOne(calls) ? List.of(new CallsInTurn(entry.apply(calls.get(0)), calls)) : ofSeveral(calls, entry);
    }

    private static boolean areOfOne(List<Charge> calls) {
        Charge first = calls.get(0);
        for (int call = 1; call < calls.size(); call++) {
            Charge charge = calls.get(call);
            if (!charge.key().equals(first.key()) || !charge.limit().equals(first.limit())) {
                return false;
            }
        }
        return true;
    }

    private List<CallsInTurn> ofSeveral(List<Charge> calls, Function<Charge, RedisCharge> entry) {
        List<List<Charge>> each = new ArrayList<>();
        Map<Counted, Integer> known = new HashMap<>();
        for (int call = 0; call < size; call++) {
            Charge charge = calls.get(call);
            Integer present = known.putIfAbsent(Counted.by(charge), each.size());
            if (present == null) {
                each.add(new ArrayList<>(List.of(charge)));
                places.add(new ArrayList<>(List.of(call)));
            } else if (each.get(present).get(0).limit().equals(charge.limit())) {
                each.get(present).add(charge);
                places.get(present).add(call);
            }
        }
        return each.stream()
                .map(charges -> new CallsInTurn(entry.apply(charges.get(0)), charges))
                .toList();
    }

    /** The calls on each counter. */
    List<CallsInTurn> counters() {
        return counters;
    }

    /** Whether they are all on one counter, and by the same numbers. */
    boolean isWhole() {
        return places.isEmpty();
    }

    /** Answers to the calls on each counter, in the order in which all calls came; {@code null} for those that did not travel. */
    <T> List<@Nullable T> inOrder(List<List<@Nullable T>> answers) {
        List<@Nullable T> all = new ArrayList<>(Collections.nCopies(size, null));
        for (int counter = 0; counter < answers.size(); counter++) {
            List<@Nullable T> ofOne = answers.get(counter);
            for (int i = 0; i < ofOne.size(); i++) {
                all.set(places.get(counter).get(i), ofOne.get(i));
            }
        }
        return all;
    }
}
