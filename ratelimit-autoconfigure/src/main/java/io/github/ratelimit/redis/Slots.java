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

    /** Neighbouring slots mostly live on one node: so many parts of a cluster are told apart. */
    private static final int RANGES = 64;

    private static final int SLOTS_PER_RANGE = ClusterSlotHashUtil.SLOT_COUNT / RANGES;

    private Slots() {}

    /**
     * The route of a call, below 2 × {@value #RANGES}. Calls of one range of slots share one; those that span several have
     * routes of their own, since it takes one bad slot to spoil them.
     */
    static int route(List<RedisCharge> charges) {
        int first = range(charges.get(0));
        int all = 0;
        boolean several = false;
        for (RedisCharge charge : charges) {
            int range = range(charge);
            several |= range != first;
            all = 31 * all + range;
        }
        return several ? RANGES + (all & (RANGES - 1)) : first;
    }

    private static int range(RedisCharge charge) {
        return ClusterSlotHashUtil.calculateSlot(charge.key()) / SLOTS_PER_RANGE;
    }

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
