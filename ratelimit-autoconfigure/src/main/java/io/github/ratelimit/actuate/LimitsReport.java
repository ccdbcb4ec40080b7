/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.actuate;

import io.github.ratelimit.Limit;
import io.github.ratelimit.tuning.Adaptive;
import io.github.ratelimit.tuning.EffectiveLimit;
import io.github.ratelimit.tuning.InWords;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.Overrides.Target;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Limits with their effective numbers, and who stated each, as maps to be written as JSON. */
final class LimitsReport {

    private final LimitCatalog catalog;
    private final String store;

    LimitsReport(LimitCatalog catalog, String store) {
        this.catalog = catalog;
        this.store = store;
    }

    Map<String, Object> all() {
        Map<String, Object> limits = new LinkedHashMap<>();
        for (String name : new TreeSet<>(catalog.names())) {
            limits.put(name, one(name));
        }
        return limits;
    }

    /** Overrides that change nothing here, since their limit or plan is gone: by the names under which they can be removed. */
    List<Map<String, Object>> idleOverrides() {
        return catalog.idleOverrides().entrySet().stream()
                .map(entry -> idle(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(Object::toString))
                .toList();
    }

    private static Map<String, Object> idle(Target target, Numbers numbers) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("limit", target.limit());
        if (target.plan() != null) {
            told.put("plan", target.plan());
        }
        if (numbers.permits() != null) {
            told.put("permits", numbers.permits());
        }
        if (numbers.period() != null) {
            told.put("period", InWords.of(numbers.period()));
        }
        if (numbers.burst() != null) {
            told.put("burst", numbers.burst());
        }
        return told;
    }

    /** What is left of a limit whose override was removed. */
    Map<String, Object> afterRemoval(String name) {
        return catalog.isDefined(name) ? one(name) : new LinkedHashMap<>(Map.of("name", name));
    }

    Map<String, Object> one(String name) {
        EffectiveLimit base = catalog.base(name);
        Limit limit = base.limit();
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("name", limit.name());
        told.put("algorithm", InWords.of(limit.algorithm()));
        told.putAll(numbers(base));
        told.put("store", limit.perInstance() && store.equals("redis") ? "local" : store);
        told.put("onStoreFailure", InWords.of(limit.onStoreFailure()));
        told.put("shadow", limit.shadow());
        if (!limit.penalty().isZero()) {
            told.put("penalty", InWords.of(limit.penalty()));
        }
        if (limit.maxWait() != null) {
            told.put("maxWait", InWords.of(limit.maxWait()));
        }
        if (base.adaptive() != null) {
            told.put("adaptive", adaptive(base, base.adaptive()));
        }
        Map<String, Object> plans = new LinkedHashMap<>();
        catalog.plans(name).forEach((plan, effective) -> plans.put(plan, numbers(effective)));
        if (!plans.isEmpty()) {
            told.put("plans", plans);
        }
        return told;
    }

    /** How the limit follows the load, and the numbers it would have without. */
    private static Map<String, Object> adaptive(EffectiveLimit base, Adaptive adaptive) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("statedPermits", base.stated().permits());
        told.put("minPermits", adaptive.fewest());
        told.put("highCpu", adaptive.high());
        told.put("lowCpu", adaptive.low());
        return told;
    }

    private static Map<String, Object> numbers(EffectiveLimit effective) {
        Limit limit = effective.limit();
        Map<String, Object> numbers = new LinkedHashMap<>();
        Map<String, Object> origins = new LinkedHashMap<>();
        origins.put("algorithm", effective.algorithm().of(limit));
        numbers.put("permits", limit.permits());
        origins.put("permits", effective.permits().of(limit));
        numbers.put("period", InWords.of(limit.period()));
        origins.put("period", effective.period().of(limit));
        if (limit.algorithm().isBucket()) {
            numbers.put("burst", limit.burst());
            origins.put("burst", effective.burst().of(limit));
        }
        numbers.put("origins", origins);
        return numbers;
    }
}
