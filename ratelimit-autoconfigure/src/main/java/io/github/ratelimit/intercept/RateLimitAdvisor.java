/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Puts the gate before every method with limits. Made before most beans, so it knows the annotations only; everything
 * else is fetched at the first call.
 */
public final class RateLimitAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final transient BooleanSupplier enabled;
    private final transient Map<MethodClassKey, Boolean> matched = new ConcurrentHashMap<>();

    /**
     * An advisor.
     *
     * @param methods what is limited, fetched at the first call
     * @param enabled whether limiting is on; asked when beans are made
     * @param order of the advice
     */
    public RateLimitAdvisor(Supplier<LimitedMethods> methods, BooleanSupplier enabled, int order) {
        this.enabled = enabled;
        setAdvice(new RateLimitInterceptor(methods));
        setOrder(order);
        setClassFilter(
                type -> this.enabled.getAsBoolean() && AnnotationUtils.isCandidateClass(type, RateLimited.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return matched.computeIfAbsent(
                new MethodClassKey(method, targetClass), key -> AnnotatedPlace.of(method, targetClass) != null);
    }
}
