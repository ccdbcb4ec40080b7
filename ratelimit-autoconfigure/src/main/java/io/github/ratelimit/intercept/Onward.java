/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * The rest of the chain, for a call that goes on when the proxy has returned already, or on another thread. Advice of
 * AspectJ asks the thread which invocation is under way, so it is told anew; without such advice nobody asks.
 */
final class Onward {

    private Onward() {}

    static @Nullable Object proceed(MethodInvocation call) throws Throwable {
        return ExposeInvocationInterceptor.INSTANCE.invoke(call);
    }
}
