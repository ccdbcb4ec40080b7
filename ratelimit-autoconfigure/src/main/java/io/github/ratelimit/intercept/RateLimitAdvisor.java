/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Puts the gate before every method with limits. Made before most beans, so it knows the annotations only; everything
 * else is fetched at the first call.
 */
public final class RateLimitAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final boolean enabled;
    private final transient Map<MethodClassKey, Boolean> matched = new ConcurrentHashMap<>();
    private final transient Set<Class<?>> seen = ConcurrentHashMap.newKeySet();
    private transient volatile Consumer<Class<?>> listener = type -> {};

    /**
     * An advisor.
     *
     * @param methods what is limited, fetched at the first call
     * @param enabled whether limiting is on
     * @param order of the advice
     */
    public RateLimitAdvisor(Supplier<LimitedMethods> methods, boolean enabled, int order) {
        this.enabled = enabled;
        setAdvice(new RateLimitInterceptor(methods));
        setOrder(order);
        setClassFilter(this::isLimitable);
    }

    private boolean isLimitable(Class<?> type) {
        Class<?> own = ClassUtils.getUserClass(type);
        seen.add(own);
        listener.accept(own);
        return enabled && AnnotationUtils.isCandidateClass(type, RateLimited.class);
    }

    /** From now on somebody hears of the class of each bean that is made, and now of those that were. */
    void tellOfEachBean(Consumer<Class<?>> listener) {
        this.listener = listener;
        seen.forEach(listener);
    }

    /** Whether a bean of this class could have got a proxy: somebody asked. */
    boolean hasSeen(Class<?> type) {
        return seen.contains(ClassUtils.getUserClass(type));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return matched.computeIfAbsent(
                new MethodClassKey(method, targetClass), key -> AnnotatedPlace.of(method, targetClass) != null);
    }
}
