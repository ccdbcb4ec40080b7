/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Overrides of this instance alone, gone when it stops. */
public final class OwnOverrides implements OverrideKeeper {

    private final ReentrantLock changing = new ReentrantLock();
    private final LimitCatalog catalog;

    /** Overrides of this catalog's limits. */
    public OwnOverrides(LimitCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public void put(Overrides.Target target, Numbers numbers) {
        catalog.checkKnown(target);
        changing.lock();
        try {
            catalog.override(catalog.overrides().with(target, numbers));
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void remove(String limit, @Nullable String plan) {
        changing.lock();
        try {
            Overrides before = catalog.overrides();
            Overrides after = before.without(limit, plan);
            if (after.equals(before)) {
                catalog.checkKnown(new Overrides.Target(limit, plan));
            }
            catalog.override(after);
        } finally {
            changing.unlock();
        }
    }

    @Override
    public boolean isShared() {
        return false;
    }
}
