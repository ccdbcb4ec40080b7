/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.expression.Invocation;
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
        MethodLimit only = limited.only();
        return only == null ? decide(call, limited, asks(call, limited)) : enter(call, limited, only);
    }

    /** By one limit, as most methods have. */
    private @Nullable Object enter(MethodInvocation call, LimitedMethod limited, MethodLimit only) throws Throwable {
        Invocation invocation = limited.invocation(call);
        String plan;
        String key;
        long cost;
        boolean counts;
        try {
            counts = only.appliesTo(invocation);
            plan = counts ? only.planOf(invocation) : null;
            key = counts ? only.key().keyOf(invocation) : "";
            cost = counts ? only.cost().costOf(invocation) : 0;
        } catch (InvalidRateLimitKeyException noKey) {
            throw remembered(noKey);
        }
        if (!counts) {
            return call.proceed();
        }
        return goOn(
                call,
                limited,
                door.acquireBlocking(only.name(), plan, key, cost, limited.maxWait(), limited.waitRefused()));
    }

    private @Nullable Object decide(MethodInvocation call, LimitedMethod limited, List<Ask> asks) throws Throwable {
        if (asks.isEmpty()) {
            return call.proceed();
        }
        return goOn(call, limited, door.acquireBlocking(asks, limited.maxWait(), limited.waitRefused()));
    }

    private static @Nullable Object goOn(MethodInvocation call, LimitedMethod limited, Decision decision)
            throws Throwable {
        return decision instanceof Denied denied ? limited.denied(call, denied) : call.proceed();
    }

    /** Who throws into plain code cannot be told apart from that code's own failures: the request remembers. */
    private static List<Ask> asks(MethodInvocation call, LimitedMethod limited) {
        try {
            return limited.asks(call);
        } catch (InvalidRateLimitKeyException noKey) {
            throw remembered(noKey);
        }
    }

    private static InvalidRateLimitKeyException remembered(InvalidRateLimitKeyException noKey) {
        ServedRequest request = PresentRequest.get();
        if (request != null) {
            request.lacksKey();
        }
        return noKey;
    }

    @Override
    public void waitRefused(LimitedMethod limited) {
        if (warned.add(limited.method())) {
            LOG.warn(
                    "{} would have to wait for its permits, but was called on an event-loop thread, which must not block:"
                            + " such calls are denied. Return a Mono, Flux or CompletionStage, or call it elsewhere.",
                    limited.describe());
        }
    }
}
