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
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All limits of this application, worked out once and replaced as a whole when numbers change.
 *
 * <p>At start annotations are registered, then {@link #check} makes sure that every limit is complete. A call looks up
 * one map and, where the limit has no plans, nothing else. How numbers change is told in {@link DefinitionsInForce}.
 */
public final class LimitCatalog implements Limits {

    private final Supplier<@Nullable PlanResolver> resolver;
    private final UnknownPlans unknownPlans = new UnknownPlans();
    private final DefinitionsInForce definitions;

    /** All limits by name, as they were worked out last: in a field of its own, so that a call looks up this map at once. */
    private volatile Map<String, ResolvedLimit> resolved = Map.of();

    /** A catalog of what the properties say, with a resolver that is asked where neither caller nor property says. */
    public LimitCatalog(Tuning tuning, PlanResolver resolver) {
        this(tuning, () -> resolver);
    }

    /** The same, with a resolver that is looked up when it is first needed; {@code null}: there is none. */
    public LimitCatalog(Tuning tuning, Supplier<@Nullable PlanResolver> resolver) {
        this.resolver = resolver;
        this.definitions = new DefinitionsInForce(Definitions.of(tuning), limits -> resolved = limits);
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
        definitions.change(now -> now.with(name, new AnnotatedLimit.Statement(explicit, stated, place)));
    }

    /**
     * Adds a place that asks for a limit by name: from then on no change takes the limit away.
     *
     * @throws InvalidLimitException if nobody defines it
     */
    public void askFor(String name, String place) {
        definitions.change(now -> now.askedFor(name, place));
    }

    /**
     * Makes sure that every limit can be worked out.
     *
     * @throws InvalidLimitException naming the first mistake
     */
    public void check() {
        definitions.check();
        resolved.forEach((name, limit) -> limit.keys().forEach((key, plan) -> {
            if (limit.onPlan(plan) == null) {
                unknownPlans.warn(
                        limit.base().limit().name(), plan, limit.plans().keySet());
            }
        }));
    }

    /** Whether every limit only watches, whatever it states itself. */
    public boolean onlyWatches() {
        return definitions.now().tuning().shadow();
    }

    /** Names in the properties that nobody asks for, and the names they were probably meant to be. */
    public Map<String, String> perhapsMisspelt() {
        return definitions.now().perhapsMisspelt();
    }

    /**
     * Replaces what the properties say; annotations stay, and the overrides that fit.
     *
     * @throws InvalidLimitException if a limit cannot be worked out from it; then nothing has changed
     */
    public void refresh(Tuning tuning) {
        definitions.change(now -> now.with(tuning));
    }

    /** The overrides that change nothing, because this application has no such limit or plan any more. */
    public Map<Overrides.Target, Numbers> idleOverrides() {
        return definitions.idleOverrides();
    }

    /** What is stated, for those who change it while the application runs. */
    DefinitionsInForce definitions() {
        return definitions;
    }

    @Override
    public Limit numbersFor(String name, @Nullable String plan, String key) {
        ResolvedLimit limit = resolved.get(name);
        if (limit == null) {
            limit = definitions.find(name);
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
        return definitions.find(name).shapes();
    }

    @Override
    public boolean isDefined(String name) {
        return definitions.now().defines(name);
    }

    @Override
    public Collection<String> names() {
        return definitions.now().names();
    }

    /**
     * The base numbers of a limit, and who stated each.
     *
     * @throws UnknownLimitException if nobody defines a limit of this name
     */
    public EffectiveLimit base(String name) {
        return definitions.find(name).base();
    }

    /**
     * The numbers of each plan of a limit by the plan's name, sorted.
     *
     * @throws UnknownLimitException if nobody defines a limit of this name
     */
    public Map<String, EffectiveLimit> plans(String name) {
        return definitions.find(name).plans();
    }

    /**
     * The largest cost that a limit can ever grant, on whichever plan, by what is stated: neither overrides nor the load
     * make a mistake of what was none, or hide one.
     *
     * @throws UnknownLimitException if nobody defines a limit of this name
     */
    public long statedCapacity(String name) {
        String relaxed =
                RelaxedNames.relaxed(definitions.find(name).base().limit().name());
        ResolvedLimit stated =
                definitions.now().with(Overrides.NONE).sources(relaxed).resolve();
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
}
