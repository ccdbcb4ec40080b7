/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Stands before every limited method. */
final class RateLimitInterceptor implements MethodInterceptor {

    private final Supplier<LimitedMethods> methods;

    RateLimitInterceptor(Supplier<LimitedMethods> methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Class<?> type = target == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        LimitedMethod limited = methods.get().of(call.getMethod(), type);
        return limited == null ? call.proceed() : limited.enter(call);
    }
}
