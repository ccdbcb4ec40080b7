/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.RateLimitListener;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who hear every decision. A listener's failure is logged once per class, and swallowed. */
final class Listeners {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final RateLimitListener[] all;
    private final Set<Class<?>> failed;

    Listeners(List<? extends RateLimitListener> listeners) {
        this(listeners.toArray(RateLimitListener[]::new), ConcurrentHashMap.newKeySet());
    }

    private Listeners(RateLimitListener[] all, Set<Class<?>> failed) {
        this.all = all;
        this.failed = failed;
    }

    /** These, and the web request that a call belongs to. */
    Listeners and(@Nullable ServedRequest request) {
        if (request == null) {
            return this;
        }
        RateLimitListener[] more = Arrays.copyOf(all, all.length + 1);
        more[all.length] = request;
        return new Listeners(more, failed);
    }

    /** Tells a decision and gives it back. */
    Decision decided(Decision decision) {
        for (RateLimitListener listener : all) {
            try {
                listener.onDecision(decision);
            } catch (Throwable failure) {
                swallow(listener, failure);
            }
        }
        return decision;
    }

    void waited(Allowed decision, long nanos) {
        for (RateLimitListener listener : all) {
            try {
                listener.onWait(decision, nanos);
            } catch (Throwable failure) {
                swallow(listener, failure);
            }
        }
    }

    private void swallow(RateLimitListener listener, Throwable failure) {
        if (failure instanceof VirtualMachineError fatal) {
            throw fatal;
        }
        if (failed.add(listener.getClass())) {
            log.warn(
                    "The listener {} failed; the decision stands. Its further failures are not logged.",
                    listener.getClass().getName(),
                    failure);
        }
    }
}
