/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.Limit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What several places state about one limit, one over the other; the last added is the strongest. */
final class Layers {

    private final List<Layer> layers = new ArrayList<>();
    private LimitSettings merged = LimitSettings.NONE;

    Layers add(Origin origin, LimitSettings settings) {
        layers.add(0, new Layer(origin, settings));
        merged = settings.over(merged);
        return this;
    }

    Layers add(Origin origin, Numbers numbers) {
        return add(origin, LimitSettings.of(null, numbers, null, null));
    }

    /** A plan with permits but no burst of its own starts over: the burst below belongs to other permits. */
    Layers addPlan(Numbers plan, Numbers override) {
        Numbers both = override.over(plan);
        if (both.permits() != null && both.burst() == null) {
            layers.replaceAll(Layer::withoutBurst);
            merged = merged.withoutBurst();
        }
        return add(Origin.PLAN, plan).add(Origin.PLAN_OVERRIDE, override);
    }

    LimitSettings merged() {
        return merged;
    }

    /** The strongest place that states the attribute; {@code null}: none does. */
    @Nullable
    Origin statedBy(String attribute) {
        for (Layer layer : layers) {
            if (layer.settings.stated(attribute) != null) {
                return layer.origin;
            }
        }
        return null;
    }

    EffectiveLimit effective(Limit limit, Tuning tuning) {
        return new EffectiveLimit(
                limit,
                limit,
                statedBy("algorithm", Origin.DEFAULTS),
                statedBy("permits", Origin.DEFAULTS),
                statedBy("period", Origin.DEFAULTS),
                statedBy("burst", Origin.PERMITS),
                null,
                Shrinking.WHOLE,
                Extras.of(limit, this, tuning));
    }

    private Origin statedBy(String attribute, Origin otherwise) {
        Origin origin = statedBy(attribute);
        return origin == null ? otherwise : origin;
    }

    private record Layer(Origin origin, LimitSettings settings) {

        Layer withoutBurst() {
            return new Layer(origin, settings.withoutBurst());
        }
    }
}
