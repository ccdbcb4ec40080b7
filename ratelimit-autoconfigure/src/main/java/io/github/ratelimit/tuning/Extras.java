/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.Anchor;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Refill;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what a limit has besides its numbers, and who stated it. */
final class Extras {

    private final Limit limit;
    private final Layers layers;
    private final List<Extra> found = new ArrayList<>();

    private Extras(Limit limit, Layers layers) {
        this.limit = limit;
        this.layers = layers;
    }

    static List<Extra> of(Limit limit, Layers layers, Tuning tuning) {
        Extras extras = new Extras(limit, layers);
        extras.addWords("shadow", limit.shadow(), tuning.shadow(), "only watched");
        extras.addCounting();
        extras.add("max-wait", limit.maxWait());
        extras.add("penalty", limit.penalty().isZero() ? null : limit.penalty());
        extras.add("digest-keys", Boolean.TRUE.equals(layers.merged().digestKeys()) ? true : null);
        extras.addWords("store", limit.perInstance(), tuning.store() == StoreKind.LOCAL, "counted per instance");
        extras.add("on-store-failure", limit.onStoreFailure() == FailurePolicy.LOCAL ? null : limit.onStoreFailure());
        return List.copyOf(extras.found);
    }

    private void addCounting() {
        add("refill", limit.refill() == Refill.GREEDY ? null : limit.refill());
        add("slots", layers.merged().slots());
        add("strict", limit.strict() ? null : false);
        add("anchor", limit.anchor() == Anchor.CLOCK ? null : limit.anchor());
        add("pace", Boolean.FALSE.equals(layers.merged().pace()) ? false : null);
        add("large-log", Boolean.TRUE.equals(layers.merged().largeLog()) ? true : null);
    }

    /** Under its own name; {@code null}: it is as usual. */
    private void add(String attribute, @Nullable Object value) {
        if (value != null) {
            Origin origin = layers.statedBy(attribute);
            String who = origin == null ? attribute : origin.of(limit);
            found.add(new Extra(attribute, "%s %s (%s)".formatted(attribute, InWords.of(value), who)));
        }
    }

    /** In words that do not name the attribute, so the origin does. */
    private void addWords(String attribute, boolean unusual, boolean forAll, String words) {
        if (unusual) {
            Origin origin = forAll ? null : layers.statedBy(attribute);
            String who = origin == null ? attribute : origin.of(limit) + "." + attribute;
            found.add(new Extra(attribute, "%s (%s)".formatted(words, who)));
        }
    }
}
