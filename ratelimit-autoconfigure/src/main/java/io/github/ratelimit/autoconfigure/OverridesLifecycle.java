/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.tuning.OverrideKeeper;
import io.github.ratelimit.tuning.SharedOverrides;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Reads the overrides once all limits are known and the Redis connection factory has started, before the web server
 * does. Waits for a Redis that answered just now; one that did not delays nothing more.
 */
final class OverridesLifecycle implements SmartLifecycle {

    static final Duration AT_MOST = Duration.ofSeconds(1);

    private final OverrideKeeper overrides;
    private final Supplier<? extends @Nullable SharedStore> shared;
    private final Duration atMost;
    private volatile boolean running;

    OverridesLifecycle(OverrideKeeper overrides, Supplier<? extends @Nullable SharedStore> shared, Duration atMost) {
        this.overrides = overrides;
        this.shared = shared;
        this.atMost = atMost;
    }

    @Override
    public void start() {
        running = true;
        if (overrides instanceof SharedOverrides known) {
            SharedStore store = shared.get();
            known.start(store != null && store.isPrepared() ? atMost : Duration.ZERO);
        }
    }

    @Override
    public void stop() {
        running = false;
        overrides.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** One behind the Redis connection factory. */
    @Override
    public int getPhase() {
        return 1;
    }
}
