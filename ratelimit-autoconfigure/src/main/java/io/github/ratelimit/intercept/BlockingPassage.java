/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.limiter.Ask;
import io.github.ratelimit.limiter.Door;
import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.limiter.ServedRequest;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plain values and {@code void}: decided, and waited for, on the caller's thread. */
final class BlockingPassage implements Passage {

    private static final Logger LOG = LoggerFactory.getLogger(BlockingPassage.class);

    private final Door door;
    private final Set<Method> warned = ConcurrentHashMap.newKeySet();

    BlockingPassage(Door door) {
        this.door = door;
    }

    @Override
    public @Nullable Object enter(MethodInvocation call, LimitedMethod limited) throws Throwable {
        List<Ask> asks = asks(call, limited);
        if (asks.isEmpty()) {
            return call.proceed();
        }
        Decision decision = door.acquireBlocking(asks, limited.maxWait(), () -> warnOnce(limited));
        return decision instanceof Denied denied ? limited.denied(call, denied) : call.proceed();
    }

    /** Who throws into plain code cannot be told apart from that code's own failures: the request remembers. */
    private static List<Ask> asks(MethodInvocation call, LimitedMethod limited) {
        try {
            return limited.asks(call);
        } catch (InvalidRateLimitKeyException noKey) {
            ServedRequest request = PresentRequest.get();
            if (request != null) {
                request.lacksKey();
            }
            throw noKey;
        }
    }

    private void warnOnce(LimitedMethod limited) {
        if (warned.add(limited.method())) {
            LOG.warn(
                    "{} would have to wait for its permits, but was called on an event-loop thread, which must not block:"
                            + " such calls are denied. Return a Mono, Flux or CompletionStage, or call it elsewhere.",
                    limited.describe());
        }
    }
}
