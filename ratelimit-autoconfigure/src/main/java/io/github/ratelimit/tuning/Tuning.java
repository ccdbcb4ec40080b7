/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.FailurePolicy;
import java.util.Map;

/**
 * What the properties say about limits, as one immutable snapshot.
 *
 * @param defaults what holds for every limit that does not say otherwise
 * @param limits what is stated per limit
 * @param shadow whether every limit only watches
 * @param store who keeps the counters of limits that do not say otherwise
 * @param onStoreFailure what happens when the store cannot answer, for limits that do not say otherwise
 */
public record Tuning(
        LimitSettings defaults,
        Map<String, LimitSettings> limits,
        boolean shadow,
        StoreKind store,
        FailurePolicy onStoreFailure) {

    /** Copies the map. */
    public Tuning {
        limits = Map.copyOf(limits);
    }

    /** These limits over Redis, without defaults. */
    public static Tuning of(Map<String, LimitSettings> limits) {
        return new Tuning(LimitSettings.NONE, limits, false, StoreKind.REDIS, FailurePolicy.LOCAL);
    }
}
