/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.tuning.AdaptiveLimits;
import org.springframework.context.SmartLifecycle;

/** Lets limits follow the load while the application runs, from when everything else has started. */
final class AdaptiveLifecycle implements SmartLifecycle, AfterChange {

    private final AdaptiveLimits limits;
    private final boolean enabled;
    private volatile boolean running;

    AdaptiveLifecycle(AdaptiveLimits limits, boolean enabled) {
        this.limits = limits;
        this.enabled = enabled;
    }

    /** Begins, if there is now something to follow the load. */
    @Override
    public void changed() {
        if (running && enabled) {
            limits.start();
        }
    }

    @Override
    public void start() {
        running = true;
        changed();
    }

    @Override
    public void stop() {
        running = false;
        limits.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
