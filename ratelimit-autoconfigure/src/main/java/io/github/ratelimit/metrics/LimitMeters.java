/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.metrics;

import io.github.ratelimit.tuning.LimitCatalog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The numbers that hold: what overrides and the load of the instance have made of those that are stated. */
public final class LimitMeters {

    private final MeterRegistry registry;
    private final LimitCatalog catalog;
    private final Set<String> shown = ConcurrentHashMap.newKeySet();

    /** Meters in this registry, of these limits. */
    public LimitMeters(MeterRegistry registry, LimitCatalog catalog) {
        this.registry = registry;
        this.catalog = catalog;
    }

    /** Shows the present permits of every limit there is, also of those that were not there when it was last asked. */
    public void show() {
        for (String limit : catalog.names()) {
            if (shown.add(limit)) {
                show(limit);
            }
        }
    }

    private void show(String limit) {
        Gauge.builder("ratelimit.permits", () -> permits(limit))
                .description("Permits per period that hold now, those of plans aside")
                .tag("limit", limit)
                .register(registry);
    }

    /** Not a number once the limit is gone. */
    private double permits(String limit) {
        return catalog.isDefined(limit) ? catalog.base(limit).limit().permits() : Double.NaN;
    }
}
