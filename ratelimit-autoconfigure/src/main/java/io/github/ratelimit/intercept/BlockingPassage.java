/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.RateLimitExceededException;
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

    /**
     * {@inheritDoc} A denial is thrown from here, not from further in: that costs a fraction where the compiler makes one piece of
     * proxy, gate and caller, which has an end, and this is near its beginning.
     */
    @Override
    public @Nullable Object enter(MethodInvocation call, LimitedMethod limited) throws Throwable {
        Denied denied = denial(call, limited);
        if (denied == null) {
            return call.proceed();
        }
        if (limited.hasFallback()) {
            return limited.denied(call, denied);
        }
        throw new RateLimitExceededException(denied);
    }

    /** Decides a call; {@code null}: it goes ahead. */
    private @Nullable Denied denial(MethodInvocation call, LimitedMethod limited) {
        MethodLimit only = limited.only();
        Decision decision = only == null ? bySeveral(call, limited) : byOne(call, limited, only);
        return decision instanceof Denied denied ? denied : null;
    }

    /** By one limit, as most methods have; {@code null} where it does not apply. */
    private @Nullable Decision byOne(MethodInvocation call, LimitedMethod limited, MethodLimit only) {
        Invocation invocation = limited.invocation(call);
        String plan;
        String key;
        long cost;
        try {
            if (!only.appliesTo(invocation)) {
                return null;
            }
            plan = only.planOf(invocation);
            key = only.key().keyOf(invocation);
            cost = only.cost().costOf(invocation);
        } catch (InvalidRateLimitKeyException noKey) {
            throw remembered(noKey);
        }
        return door.acquireBlocking(only.name(), plan, key, cost, limited.maxWait(), limited.waitRefused());
    }

    private @Nullable Decision bySeveral(MethodInvocation call, LimitedMethod limited) {
        List<Ask> asks = asks(call, limited);
        return asks.isEmpty() ? null : door.acquireBlocking(asks, limited.maxWait(), limited.waitRefused());
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
