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

/** Calls that share a trip, those on one counter together and in the order in which they came. */
final class Batch {

    private final List<List<RedisCharge>> counters = new ArrayList<>();
    private final List<List<Integer>> places = new ArrayList<>();
    private final int size;

    private record Counted(Limit limit, String key) {

        static Counted of(Charge charge) {
            return new Counted(charge.limit(), charge.key());
        }

        boolean counts(Charge charge) {
            return key.equals(charge.key()) && limit.equals(charge.limit());
        }
    }

    /** Calls, each of one charge; what enters a charge is asked once per counter. */
    Batch(List<Charge> calls, Function<Charge, RedisCharge> entry) {
        size = calls.size();
        Map<Counted, Integer> known = new HashMap<>();
        Counted last = null;
        int counter = 0;
        for (int call = 0; call < size; call++) {
            Charge charge = calls.get(call);
            if (last == null || !last.counts(charge)) { // on one key all are alike
                last = Counted.of(charge);
                Integer present = known.putIfAbsent(last, counters.size());
                counter = present == null ? counters.size() : present;
            }
            if (counter == counters.size()) {
                counters.add(new ArrayList<>());
                places.add(new ArrayList<>());
            }
            List<RedisCharge> entered = counters.get(counter);
            entered.add(entered.isEmpty() ? entry.apply(charge) : entered.get(0).with(charge));
            places.get(counter).add(call);
        }
    }

    /** The calls on each counter. */
    List<CallsInTurn> counters() {
        return counters.stream().map(CallsInTurn::new).toList();
    }

    /** Answers to the calls on each counter, in the order in which all calls came. */
    <T> List<T> inOrder(List<List<T>> answers) {
        List<T> all = new ArrayList<>(Collections.nCopies(size, null));
        for (int counter = 0; counter < answers.size(); counter++) {
            List<T> ofOne = answers.get(counter);
            for (int i = 0; i < ofOne.size(); i++) {
                all.set(places.get(counter).get(i), ofOne.get(i));
            }
        }
        return all;
    }
}
