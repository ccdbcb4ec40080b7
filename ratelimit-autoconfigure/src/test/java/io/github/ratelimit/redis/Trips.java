/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.testkit.Stages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Decides calls in as few trips as a store can: those that may together, the others key by key. */
final class Trips {

    private record Counted(String limit, String key) {}

    private Trips() {}

    static List<Decision> decide(RedisRateLimitStore store, List<Charge> calls) {
        Decision[] decisions = new Decision[calls.size()];
        Map<Object, List<Integer>> trips = IntStream.range(0, calls.size())
                .boxed()
                .collect(Collectors.groupingBy(call -> trip(store, calls.get(call))));
        for (List<Integer> trip : trips.values()) {
            List<@Nullable Decision> told = Stages.await(
                    store.acquireInTurn(trip.stream().map(calls::get).toList()));
            for (int i = 0; i < trip.size(); i++) {
                int call = trip.get(i);
                Decision decided = told.get(i);
                decisions[call] = decided == null ? Stages.await(store.acquire(List.of(calls.get(call)))) : decided;
            }
        }
        return new ArrayList<>(Arrays.asList(decisions));
    }

    private static Object trip(RedisRateLimitStore store, Charge call) {
        return store.sharesTrips(call) ? Trips.class : new Counted(call.limit().name(), call.key());
    }
}
