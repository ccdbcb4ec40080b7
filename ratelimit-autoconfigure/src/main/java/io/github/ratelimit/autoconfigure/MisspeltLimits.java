/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.tuning.LimitCatalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Warns of names in the properties that are nearly the one of a limit without any, once methods and path rules are known. */
final class MisspeltLimits implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(MisspeltLimits.class);

    private final LimitCatalog catalog;
    private final boolean enabled;
    private volatile boolean running;

    MisspeltLimits(LimitCatalog catalog, boolean enabled) {
        this.catalog = catalog;
        this.enabled = enabled;
    }

    @Override
    public void start() {
        running = true;
        if (enabled) {
            catalog.perhapsMisspelt()
                    .forEach((written, meant) -> log.warn(
                            "No method names the limit '{}' of the properties. Is it meant for '{}', which has no"
                                    + " property of its own?",
                            written,
                            meant));
        }
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
