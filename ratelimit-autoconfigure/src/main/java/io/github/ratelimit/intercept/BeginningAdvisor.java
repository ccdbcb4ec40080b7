/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Stands ahead of all other advice of a method that is decided for each subscription, so that no advice between the two
 * can lead a later subscription past the gate.
 */
public final class BeginningAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final transient RateLimitAdvisor gate;

    /** An advisor for what this gate stands before. */
    public BeginningAdvisor(RateLimitAdvisor gate) {
        this.gate = gate;
        setAdvice((MethodInterceptor) BeginningAdvisor::begin);
        setOrder(Ordered.HIGHEST_PRECEDENCE);
        setClassFilter(gate.getClassFilter());
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return gate.matches(method, targetClass) && Passages.isSubscribed(method, targetClass);
    }

    private static @Nullable Object begin(MethodInvocation call) throws Throwable {
        return call instanceof ProxyMethodInvocation proxied
                ? Passages.begin(proxied, RateLimitInterceptor.targetClass(call))
                : call.proceed();
    }
}
