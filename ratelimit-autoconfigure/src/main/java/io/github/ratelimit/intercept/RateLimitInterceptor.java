/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.intercept.KnownCalls.Known;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
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
        if (limited == null && target != null && Proxy.isProxyClass(target.getClass())) {
            limited = inFront(call.getMethod(), target);
        }
        if (target != null && !isProxy(target)) {
            known.put(new Known(call.getMethod(), target.getClass(), limited));
        }
        return limited;
    }

    /** What an interface of the proxy states that the class behind it does not implement, such as a repository's own. */
    private @Nullable LimitedMethod inFront(Method method, Object proxy) {
        LimitedMethod stated = methods.get().of(method, proxy.getClass());
        return stated == null || stated.isStatedFor(AopUtils.getTargetClass(proxy)) ? null : stated;
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

    /** Whether the proxy, or one behind it, has a gate too: of two makers of proxies, both put it up, and each context has its own. */
    private static boolean isGateOf(@Nullable Object proxy) {
        Object behind = proxy;
        while (behind instanceof Advised advised) {
            for (Advisor advisor : advised.getAdvisors()) {
                if (advisor.getAdvice() instanceof RateLimitInterceptor) {
                    return true;
                }
            }
            behind = AopProxyUtils.getSingletonTarget(behind);
        }
        return false;
    }
}
