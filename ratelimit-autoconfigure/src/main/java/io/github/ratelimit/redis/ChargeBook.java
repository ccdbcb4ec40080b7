/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Turns charges into what the scripts take. Remembers each limit's encoding, and nothing per key. */
final class ChargeBook {

    /** There are as many limits as there are numbers in force; past this somebody makes them up. */
    private static final int MOST_LIMITS = 10_000;

    private final String prefix;
    private final boolean loneIntegers;
    private final Map<Limit, PackedLimit> packed = new ConcurrentHashMap<>();

    ChargeBook(String prefix, boolean loneIntegers) {
        this.prefix = prefix;
        this.loneIntegers = loneIntegers;
    }

    /** The charges of one call, those of one counter added up. */
    List<RedisCharge> enter(List<Charge> charges) {
        if (charges.isEmpty()) {
            throw new IllegalArgumentException("A call without charges: state at least one limit.");
        }
        if (charges.size() == 1) {
            return List.of(enter(charges.get(0)));
        }
        List<RedisCharge> all = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            add(all, enter(charge));
        }
        return all;
    }

    /** Whether the calls of a limit are usual ones. */
    boolean isUsual(Limit limit) {
        return packed(limit).isUsual();
    }

    private static void add(List<RedisCharge> all, RedisCharge next) {
        for (int i = 0; i < all.size(); i++) {
            RedisCharge present = all.get(i);
            if (Arrays.equals(present.key(), next.key())) {
                all.set(i, new RedisCharge(present.charge().plus(next.charge()), present.packed(), present.key()));
                return;
            }
        }
        all.add(next);
    }

    private RedisCharge enter(Charge charge) {
        PackedLimit limit = packed(charge.limit());
        return new RedisCharge(charge, limit, limit.key(charge.key()));
    }

    private PackedLimit packed(Limit limit) {
        PackedLimit known = packed.get(limit);
        if (known != null) {
            return known;
        }
        if (packed.size() >= MOST_LIMITS) {
            packed.clear();
        }
        PackedLimit fresh = new PackedLimit(limit, prefix, loneIntegers);
        packed.put(limit, fresh);
        return fresh;
    }
}
