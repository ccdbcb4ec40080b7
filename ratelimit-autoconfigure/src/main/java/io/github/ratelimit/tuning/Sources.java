/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one limit, merged field by field, weakest first: defaults, annotation, property, override, plan,
 * override of the plan.
 *
 * @param name the limit's name
 * @param annotated what its annotations state
 * @param property what {@code ratelimit.limits.<name>} states
 * @param tuning what holds for all limits
 * @param overrides what was set while running
 * @param share how much of the numbers an adaptive limit asks for, in millionths
 */
record Sources(
        String name,
        @Nullable AnnotatedLimit annotated,
        @Nullable LimitSettings property,
        Tuning tuning,
        Overrides overrides,
        int share) {

    ResolvedLimit resolve() {
        Map<String, EffectiveLimit> plans = new HashMap<>();
        LimitSettings stated = property == null ? LimitSettings.NONE : property;
        EffectiveLimit base = effective(null, Numbers.NONE);
        stated.plans().forEach((plan, numbers) -> plans.put(plan, effective(plan, numbers)));
        Adaptive adaptive = stated.adaptive();
        if (adaptive != null) {
            checkNotOverridden(adaptive, stated.plans());
            int present = Math.max(share, new Shrinking(base.stated()).lowestShare(adaptive.fewest()));
            plans.replaceAll((plan, numbers) -> numbers.adapted(adaptive, present));
            base = base.adapted(adaptive, present);
        }
        return new ResolvedLimit(base, plans, stated.keys());
    }

    /** An override is no mistake of who stated the limit: one that leaves nothing to adapt holds as it is. */
    private void checkNotOverridden(Adaptive adaptive, Map<String, Numbers> plans) {
        Sources bare = new Sources(name, annotated, property, tuning, Overrides.NONE, share);
        adaptive.check(bare.effective(null, Numbers.NONE).stated());
        plans.forEach((plan, numbers) ->
                adaptive.checkPlan(bare.effective(plan, numbers).stated()));
    }

    private EffectiveLimit effective(@Nullable String plan, Numbers ofPlan) {
        Layers layers = new Layers()
                .add(Origin.DEFAULTS, tuning.defaults())
                .add(Origin.ANNOTATION, annotated == null ? LimitSettings.NONE : annotated.together())
                .add(Origin.LIMIT, property == null ? LimitSettings.NONE : property)
                .add(Origin.OVERRIDE, overrides.of(name, null));
        if (plan != null) {
            layers.addPlan(ofPlan, overrides.of(name, plan));
        }
        try {
            return layers.effective(builder(layers).plan(plan).build(), tuning);
        } catch (InvalidLimitException e) {
            throw placed(e, layers, plan);
        }
    }

    private LimitBuilder builder(Layers layers) {
        LimitSettings merged = layers.merged();
        LimitBuilder builder = Limit.named(name);
        if (merged.algorithm() != null) {
            builder.algorithm(merged.algorithm());
        }
        if (merged.period() != null) {
            builder.period(merged.period());
        }
        return builder.permits(permits(merged))
                .burst(merged.burst())
                .refill(merged.refill())
                .slots(merged.slots())
                .strict(merged.strict())
                .anchor(merged.anchor())
                .pace(merged.pace())
                .largeLog(merged.largeLog())
                .maxWait(merged.maxWait())
                .penalty(merged.penalty() == null ? Duration.ZERO : merged.penalty())
                .shadow(tuning.shadow() || Boolean.TRUE.equals(merged.shadow()))
                .digestKeys(Boolean.TRUE.equals(merged.digestKeys()))
                .perInstance(perInstance(merged))
                .onStoreFailure(merged.onStoreFailure() == null ? tuning.onStoreFailure() : merged.onStoreFailure());
    }

    private long permits(LimitSettings merged) {
        if (merged.permits() == null) {
            throw new InvalidLimitException(
                    name,
                    "permits",
                    "(none)",
                    "are stated nowhere",
                    "Set " + RelaxedNames.property(name) + ".permits, ratelimit.defaults.permits, or permits in the"
                            + " annotation.");
        }
        return merged.permits();
    }

    private boolean perInstance(LimitSettings merged) {
        if (merged.store() == StoreKind.REDIS && tuning.store() == StoreKind.LOCAL) {
            throw new InvalidLimitException(
                    name,
                    "store",
                    "redis",
                    "needs Redis, and ratelimit.store is local",
                    "Set ratelimit.store to redis, or remove the limit's own store.");
        }
        return merged.store() == StoreKind.LOCAL || tuning.store() == StoreKind.LOCAL;
    }

    private InvalidLimitException placed(InvalidLimitException mistake, Layers layers, @Nullable String plan) {
        String attribute = mistake.attribute();
        if (attribute.equals("name") && annotated != null && annotated.explicit() == null) {
            return underived(mistake).statedIn(annotated.placeOf(attribute));
        }
        @Nullable Origin origin = layers.statedBy(attribute);
        if (annotated != null && (origin == Origin.ANNOTATION || (origin == null && property == null))) {
            return mistake.statedIn(annotated.placeOf(attribute));
        }
        if (origin == null) {
            return mistake.statedIn(RelaxedNames.property(name));
        }
        return mistake.statedIn(
                switch (origin) {
                    case DEFAULTS -> "ratelimit.defaults." + attribute;
                    case PLAN -> RelaxedNames.property(name) + ".plans." + plan + "." + attribute;
                    case OVERRIDE, PLAN_OVERRIDE -> "the override";
                    default -> RelaxedNames.property(name) + "." + attribute;
                });
    }

    /** A name that class and method give and no limit can have; nobody would rename them for it. */
    private InvalidLimitException underived(InvalidLimitException mistake) {
        return new InvalidLimitException(
                mistake.limit(),
                mistake.attribute(),
                mistake.value(),
                "is derived from class and method, and is not a name",
                "State a name, @RateLimited(name = \"…\"): up to 100 letters (a to z), digits, '.', '_' and '-', a letter"
                        + " or digit first.");
    }
}
