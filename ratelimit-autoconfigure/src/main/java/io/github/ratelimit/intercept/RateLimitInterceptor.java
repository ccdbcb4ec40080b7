/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.intercept.KnownCalls.Known;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.TargetClassAware;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;

/** Stands before every limited method. */
final class RateLimitInterceptor implements MethodInterceptor {

    private final Supplier<LimitedMethods> methods;
    private final KnownCalls known = new KnownCalls();

    RateLimitInterceptor(Supplier<LimitedMethods> methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Known found = target == null ? null : known.get(call.getMethod(), target.getClass());
        LimitedMethod limited = found == null ? find(call) : found.limited();
        return limited == null ? call.proceed() : limited.enter(call);
    }

    private @Nullable LimitedMethod find(MethodInvocation call) {
        Object target = call.getThis();
        if (target instanceof SpringProxy && isGateOf(target)) {
            return null;
        }
        LimitedMethod limited = methods.get().of(call.getMethod(), targetClass(call));
        if (target != null && !isProxy(target)) {
            known.put(new Known(call.getMethod(), target.getClass(), limited));
        }
        return limited;
    }

    /** Several beans may have one class of proxies, and other limits each. */
    private static boolean isProxy(Object target) {
        return target instanceof SpringProxy || target instanceof TargetClassAware;
    }

    /** The class whose limits hold for a call. */
    static Class<?> targetClass(MethodInvocation call) {
        Object target = call.getThis();
        return target == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
    }

    /** Whether the proxy, or one behind it, has this gate too: of two makers of proxies, both put it up. */
    private boolean isGateOf(@Nullable Object proxy) {
        Object behind = proxy;
        while (behind instanceof Advised advised) {
            for (Advisor advisor : advised.getAdvisors()) {
                if (advisor.getAdvice() == this) {
                    return true;
                }
            }
            behind = AopProxyUtils.getSingletonTarget(behind);
        }
        return false;
    }
}
