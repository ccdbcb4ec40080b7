/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.intercept.RateLimitAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Stops the start of an application that is to limit and has no gate: it was built ahead of time while switched off. */
final class GatePresence implements SmartInitializingSingleton {

    private final boolean enabled;
    private final ObjectProvider<RateLimitAdvisor> gate;

    GatePresence(boolean enabled, ObjectProvider<RateLimitAdvisor> gate) {
        this.enabled = enabled;
        this.gate = gate;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (enabled && gate.getIfAvailable() == null) {
            throw new MissingGateException();
        }
    }
}
