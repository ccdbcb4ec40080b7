/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.expression.Invocation;
import io.github.ratelimit.limiter.Ask;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;

/** A method with limits, everything about it worked out once: a call only evaluates and asks. */
final class LimitedMethod {

    private final AnnotatedPlace place;
    private final Class<?> targetClass;
    private final List<MethodLimit> limits;
    private final @Nullable MethodLimit only;
    private final boolean hasFallback;
    private final @Nullable Duration maxWait;
    private final Passage passage;
    private final UnaryOperator<String> spelling;
    private final Runnable waitRefused;

    /**
     * A limited method.
     *
     * @param spelling turns a limit's name, as the annotation writes it, into the one decisions carry
     */
    LimitedMethod(
            AnnotatedPlace place,
            Class<?> targetClass,
            List<MethodLimit> limits,
            @Nullable Duration maxWait,
            Passage passage,
            UnaryOperator<String> spelling) {
        this.place = place;
        this.targetClass = targetClass;
        this.limits = List.copyOf(limits);
        this.only = limits.size() == 1 ? limits.get(0) : null;
        this.hasFallback = limits.stream().anyMatch(limit -> limit.fallback() != null);
        this.maxWait = maxWait;
        this.passage = passage;
        this.spelling = spelling;
        this.waitRefused = () -> passage.waitRefused(this);
    }

    Method method() {
        return place.method();
    }

    /** Class and method with the types of its parameters, as people are told. */
    String describe() {
        return place.limited();
    }

    /** Where its limits are stated. */
    String stated() {
        return place.describe();
    }

    /** Whether this class is, or implements, what the limits are stated for. */
    boolean isStatedFor(Class<?> type) {
        return place.owner().isAssignableFrom(type);
    }

    List<MethodLimit> limits() {
        return limits;
    }

    /** The annotation that states one of its limits. */
    RateLimited annotation(int limit) {
        return place.annotations().get(limit);
    }

    /** The same for each method of a class. */
    MethodClassKey key() {
        return new MethodClassKey(place.method(), ClassUtils.getUserClass(targetClass));
    }

    /** How long a call may wait, or {@code null} to leave it to the limits. */
    @Nullable
    Duration maxWait() {
        return maxWait;
    }

    /** Lets a call through, or not. */
    @Nullable
    Object enter(MethodInvocation call) throws Throwable {
        return passage.enter(call, this);
    }

    /** Told of a call that was denied because its thread must not wait. */
    Runnable waitRefused() {
        return waitRefused;
    }

    /** The one limit this method has, or {@code null} where it has several. */
    @Nullable
    MethodLimit only() {
        return only;
    }

    /** The call as its limits' expressions see it. */
    Invocation invocation(MethodInvocation call) {
        return new Invocation(target(call), targetClass, place.method(), call.getArguments());
    }

    /** What the door is asked for this call; empty when no limit's condition holds. */
    List<Ask> asks(MethodInvocation call) {
        Invocation invocation = invocation(call);
        if (only != null) {
            return only.appliesTo(invocation) ? List.of(only.ask(invocation)) : List.of();
        }
        List<Ask> asks = new ArrayList<>(limits.size());
        for (MethodLimit limit : limits) {
            if (limit.appliesTo(invocation)) {
                asks.add(limit.ask(invocation));
            }
        }
        return asks;
    }

    /** Whether one of its limits has a fallback. */
    boolean hasFallback() {
        return hasFallback;
    }

    /** What a denied caller gets: the fallback's result, or the exception. */
    @Nullable
    Object denied(MethodInvocation call, Denied denied) throws Throwable {
        RateLimitExceededException exceeded = new RateLimitExceededException(denied);
        for (MethodLimit limit : limits) {
            Fallback fallback = limit.fallback();
            if (fallback != null
                    && (only != null || spelling.apply(limit.name()).equals(denied.limit()))) {
                return fallback.call(target(call), call.getArguments(), exceeded);
            }
        }
        throw exceeded;
    }

    private static Object target(MethodInvocation call) {
        Object target = call.getThis();
        return target == null ? call.getMethod().getDeclaringClass() : target;
    }
}
