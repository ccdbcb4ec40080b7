/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/** Where charges live in a Redis Cluster. */
final class Slots {

    private Slots() {}

    /** The positions of the charges of each slot, slots in the order in which they are first mentioned. */
    static List<List<Integer>> of(List<RedisCharge> charges) {
        Map<Integer, List<Integer>> bySlot = new LinkedHashMap<>();
        for (int i = 0; i < charges.size(); i++) {
            int slot = ClusterSlotHashUtil.calculateSlot(charges.get(i).key());
            bySlot.computeIfAbsent(slot, s -> new ArrayList<>()).add(i);
        }
        return List.copyOf(bySlot.values());
    }
}
