/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limits;
import io.github.ratelimit.PlanResolver;
import io.github.ratelimit.UnknownLimitException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All limits of this application, worked out once and replaced as a whole when numbers change.
 *
 * <p>At start annotations are registered, then {@link #check} makes sure that every limit is complete. A call looks up
 * one map and, where the limit has no plans, nothing else. Whatever changes the numbers is computed and checked first;
 * a mistake leaves the numbers in force that were.
 */
public final class LimitCatalog implements Limits {

    private final ReentrantLock changing = new ReentrantLock();
    private final Supplier<@Nullable PlanResolver> resolver;
    private final UnknownPlans unknownPlans = new UnknownPlans();
    private final UnfitOverrides unfitOverrides = new UnfitOverrides();
    private volatile Definitions definitions;
    private volatile Map<String, ResolvedLimit> resolved = Map.of();

    /** From the check on every change is complete, or refused. */
    private volatile boolean started;

    /** A catalog of what the properties say, with a resolver that is asked where neither caller nor property says. */
    public LimitCatalog(Tuning tuning, PlanResolver resolver) {
        this(tuning, () -> resolver);
    }

    /** The same, with a resolver that is looked up when it is first needed; {@code null}: there is none. */
    public LimitCatalog(Tuning tuning, Supplier<@Nullable PlanResolver> resolver) {
        this.resolver = resolver;
        this.definitions = Definitions.of(tuning);
    }

    /**
     * Adds what an annotation states.
     *
     * @param name the limit's name, stated or derived
     * @param explicit whether the annotation states the name
     * @param stated what the annotation states about the limit
     * @param place class and method, as it is to be told to people; two places are one method iff they are equal
     * @throws InvalidLimitException if it contradicts another annotation, or derives the same name as another method
     */
    public void register(String name, boolean explicit, LimitSettings stated, String place) {
        change(now -> now.with(name, new AnnotatedLimit.Statement(explicit, stated, place)));
    }

    /**
     * Adds a place that asks for a limit by name: from then on no change takes the limit away.
     *
     * @throws InvalidLimitException if nobody defines it
     */
    public void askFor(String name, String place) {
        change(now -> now.askedFor(name, place));
    }

    /**
     * Makes sure that every limit can be worked out.
     *
     * @throws InvalidLimitException naming the first mistake
     */
    public void check() {
        started = true;
        change(now -> now);
        resolved.forEach((name, limit) -> limit.keys().forEach((key, plan) -> {
            if (limit.onPlan(plan) == null) {
                unknownPlans.warn(
                        limit.base().limit().name(), plan, limit.plans().keySet());
            }
        }));
    }

    /** Names in the properties that nobody asks for, and the names they were probably meant to be. */
    public Map<String, String> perhapsMisspelt() {
        return definitions.perhapsMisspelt();
    }

    /**
     * Replaces what the properties say; annotations stay, and the overrides that fit.
     *
     * @throws InvalidLimitException if a limit cannot be worked out from it; then nothing has changed
     */
    public void refresh(Tuning tuning) {
        change(now -> now.with(tuning));
    }

    /**
     * Replaces all overrides.
     *
     * @throws InvalidLimitException if a limit cannot be worked out with them; then nothing has changed
     */
    public void override(Overrides overrides) {
        changing.lock();
        try {
            tryOut(overrides);
            overrideWhereFitting(overrides);
        } finally {
            changing.unlock();
        }
    }

    /** Replaces all overrides but those of limits that cannot work with them, which are warned of. */
    void overrideWhereFitting(Overrides overrides) {
        change(now -> now.with(overrides));
    }

    /**
     * Sets how much of its numbers each adaptive limit asks for, in millionths; all, where nothing is said.
     *
     * @param shares by the limit's name
     */
    void adapt(Map<String, Integer> shares) {
        change(now -> now.at(shares));
    }

    /** The base numbers of all limits that follow the load, by name. */
    Map<String, EffectiveLimit> adaptive() {
        Map<String, EffectiveLimit> adaptive = new HashMap<>();
        for (ResolvedLimit limit : resolved.values()) {
            if (limit.base().adaptive() != null) {
                adaptive.put(limit.base().limit().name(), limit.base());
            }
        }
        return adaptive;
    }

    /** What was set while running. */
    public Overrides overrides() {
        return definitions.overrides();
    }

    /** The part of it that changes nothing, because this application has no such limit or plan any more. */
    public Map<Overrides.Target, Numbers> idleOverrides() {
        Map<Overrides.Target, Numbers> idle = new HashMap<>(overrides().byTarget());
        idle.keySet().removeIf(target -> {
            ResolvedLimit limit = isDefined(target.limit()) ? find(target.limit()) : null;
            return limit != null && (target.plan() == null || limit.onPlan(target.plan()) != null);
        });
        return idle;
    }

    /**
     * Works out all limits with these overrides, and changes nothing.
     *
     * @throws InvalidLimitException if a limit cannot be worked out with them
     */
    void tryOut(Overrides overrides) {
        if (started) {
            var unused = resolve(definitions.with(overrides));
        }
    }

    /**
     * Makes sure that there is such a limit, and a plan of it.
     *
     * @throws UnknownLimitException if nobody defines the limit
     * @throws UnknownPlanException if the limit has no such plan
     */
    void checkKnown(Overrides.Target target) {
        ResolvedLimit limit = find(target.limit());
        if (target.plan() != null && limit.onPlan(target.plan()) == null) {
            throw new UnknownPlanException(
                    limit.base().limit().name(), target.plan(), limit.plans().keySet());
        }
    }

    @Override
    public Limit numbersFor(String name, @Nullable String plan, String key) {
        ResolvedLimit limit = resolved.get(name);
        if (limit == null) {
            limit = find(name);
        }
        if (plan == null) {
            if (!limit.hasPlans()) {
                return limit.base().limit();
            }
            plan = planOf(limit, key);
            if (plan == null) {
                return limit.base().limit();
            }
        }
        Limit onPlan = limit.onPlan(plan);
        if (onPlan == null) {
            unknownPlans.warn(limit.base().limit().name(), plan, limit.plans().keySet());
            return limit.base().limit();
        }
        return onPlan;
    }

    @Override
    public boolean mayBlock(String name, @Nullable String plan, String key) {
        ResolvedLimit limit = resolved.get(name);
        if (plan != null || (limit != null && (!limit.hasPlans() || limit.keys().containsKey(key)))) {
            return false;
        }
        return resolver.get() != null;
    }

    @Override
    public @Nullable Limit numbersAtHand(String name, @Nullable String plan, String key) {
        ResolvedLimit limit = plan == null ? resolved.get(name) : null;
        return limit != null && !limit.hasPlans() ? limit.base().limit() : Limits.super.numbersAtHand(name, plan, key);
    }

    @Override
    public Collection<Limit> shapesOf(String name) {
        return find(name).shapes();
    }

    @Override
    public boolean isDefined(String name) {
        return definitions.defines(name);
    }

    @Override
    public Collection<String> names() {
        return definitions.names();
    }

    /**
     * The base numbers of a limit, and who stated each.
     *
     * @throws UnknownLimitException if nobody defines a limit of this name
     */
    public EffectiveLimit base(String name) {
        return find(name).base();
    }

    /**
     * The numbers of each plan of a limit by the plan's name, sorted.
     *
     * @throws UnknownLimitException if nobody defines a limit of this name
     */
    public Map<String, EffectiveLimit> plans(String name) {
        return find(name).plans();
    }

    /**
     * The largest cost that a limit can ever grant, on whichever plan, by what is stated: neither overrides nor the load
     * make a mistake of what was none, or hide one.
     *
     * @throws UnknownLimitException if nobody defines a limit of this name
     */
    public long statedCapacity(String name) {
        String relaxed = RelaxedNames.relaxed(find(name).base().limit().name());
        ResolvedLimit stated = definitions.with(Overrides.NONE).sources(relaxed).resolve();
        return Stream.concat(Stream.of(stated.base()), stated.plans().values().stream())
                .mapToLong(effective -> effective.stated().burst())
                .max()
                .orElseThrow();
    }

    private @Nullable String planOf(ResolvedLimit limit, String key) {
        String stated = limit.keys().get(key);
        PlanResolver asked = stated == null ? resolver.get() : null;
        return asked == null ? stated : asked.planOf(limit.base().limit().name(), key);
    }

    private ResolvedLimit find(String name) {
        ResolvedLimit known = resolved.get(name);
        if (known == null) {
            known = resolved.get(RelaxedNames.relaxed(name));
        }
        return known != null ? known : resolveEarly(name);
    }

    /** The way of a call that comes before the start is complete: works out this one limit. */
    private ResolvedLimit resolveEarly(String name) {
        changing.lock();
        try {
            if (!isDefined(name)) {
                throw new UnknownLimitException(name, names());
            }
            String relaxed = RelaxedNames.relaxed(name);
            Map<String, ResolvedLimit> more = new HashMap<>(resolved);
            ResolvedLimit limit = definitions.sources(relaxed).resolve();
            put(more, relaxed, limit);
            resolved = more;
            return limit;
        } finally {
            changing.unlock();
        }
    }

    private void change(UnaryOperator<Definitions> step) {
        changing.lock();
        try {
            Definitions next = step.apply(definitions);
            if (started) {
                var unused = resolve(next.with(Overrides.NONE)); // no override hides a mistake until it is removed
                next = fitting(next);
            }
            Map<String, ResolvedLimit> fresh = started ? resolve(next) : Map.of();
            definitions = next;
            resolved = fresh;
        } finally {
            changing.unlock();
        }
    }

    /** The same without the overrides of limits that cannot work with them. */
    private Definitions fitting(Definitions wanted) {
        Definitions left = wanted;
        while (true) {
            try {
                var unused = resolve(left);
                return left;
            } catch (InvalidLimitException mistake) {
                Overrides fewer = left.overrides().without(mistake.limit(), null);
                if (fewer.equals(left.overrides())) {
                    throw mistake;
                }
                unfitOverrides.warn(mistake);
                left = left.with(fewer);
            }
        }
    }

    private static Map<String, ResolvedLimit> resolve(Definitions definitions) {
        Map<String, ResolvedLimit> limits = new HashMap<>();
        definitions.checkDefined();
        definitions
                .relaxedNames()
                .forEach(name -> put(limits, name, definitions.sources(name).resolve()));
        return limits;
    }

    private static void put(Map<String, ResolvedLimit> map, String relaxed, ResolvedLimit limit) {
        map.put(relaxed, limit);
        map.put(limit.base().limit().name(), limit);
    }
}
