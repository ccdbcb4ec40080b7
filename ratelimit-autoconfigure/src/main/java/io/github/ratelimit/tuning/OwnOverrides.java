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
    private final DefinitionsInForce definitions;

    /** Overrides of this catalog's limits. */
    public OwnOverrides(LimitCatalog catalog) {
        this.definitions = catalog.definitions();
    }

    @Override
    public void put(Overrides.Target target, Numbers numbers) {
        definitions.checkKnown(target);
        changing.lock();
        try {
            definitions.override(definitions.overrides().with(target, numbers));
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void remove(String limit, @Nullable String plan) {
        changing.lock();
        try {
            Overrides before = definitions.overrides();
            Overrides after = before.without(limit, plan);
            if (after.equals(before)) {
                definitions.checkKnown(new Overrides.Target(limit, plan));
            }
            definitions.override(after);
        } finally {
            changing.unlock();
        }
    }

    @Override
    public boolean isShared() {
        return false;
    }
}
