/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.Limit;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One limit with all its plans, worked out: what is looked up on every call. Immutable. */
final class ResolvedLimit {

    private final EffectiveLimit base;
    private final Map<String, EffectiveLimit> plans;
    private final Map<String, Limit> limits = new HashMap<>();
    private final Map<String, String> keys;

    ResolvedLimit(EffectiveLimit base, Map<String, EffectiveLimit> plans, Map<String, String> keys) {
        this.base = base;
        this.plans = new TreeMap<>(plans);
        this.keys = new HashMap<>(keys);
        plans.forEach((plan, effective) -> {
            limits.put(plan, effective.limit());
            limits.put(RelaxedNames.relaxed(plan), effective.limit());
        });
    }

    /** Adds it to limits that are looked up by the name as it is written, or else by the relaxed one. */
    void addTo(Map<String, ResolvedLimit> byName) {
        String name = base.limit().name();
        byName.put(RelaxedNames.relaxed(name), this);
        byName.put(name, this);
    }

    EffectiveLimit base() {
        return base;
    }

    boolean hasPlans() {
        return !plans.isEmpty();
    }

    /** The plans by name, sorted. */
    Map<String, EffectiveLimit> plans() {
        return plans;
    }

    /** The base and the plans, one for each shape. */
    Collection<Limit> shapes() {
        Map<String, Limit> shapes = new LinkedHashMap<>();
        shapes.put(base.limit().shape(), base.limit());
        plans.values().forEach(plan -> shapes.putIfAbsent(plan.limit().shape(), plan.limit()));
        return shapes.values();
    }

    Map<String, String> keys() {
        return keys;
    }

    /** The limit with this plan's numbers; {@code null}: there is no such plan. */
    @Nullable
    Limit onPlan(String plan) {
        Limit limit = limits.get(plan);
        return limit != null ? limit : limits.get(RelaxedNames.relaxed(plan));
    }
}
