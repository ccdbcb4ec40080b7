/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.RateLimitExceededException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/** What is called instead of throwing: a method of the target, or of another bean, with the call's own arguments. */
final class Fallback {

    private final @Nullable Supplier<Object> bean;
    private final Method method;
    private final boolean takesException;

    Fallback(@Nullable Supplier<Object> bean, Method method, boolean takesException) {
        this.bean = bean;
        this.method = method;
        this.takesException = takesException;
        ReflectionUtils.makeAccessible(method);
    }

    @Nullable
    Object call(Object target, @Nullable Object[] arguments, RateLimitExceededException exceeded) throws Throwable {
        @Nullable Object[] all = arguments;
        if (takesException) {
            all = Arrays.copyOf(arguments, arguments.length + 1);
            all[arguments.length] = exceeded;
        }
        try {
            return bean == null ? method.invoke(target, all) : callOn(bean.get(), all);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** Another bean may stand behind a proxy of its interfaces. */
    private @Nullable Object callOn(Object other, @Nullable Object[] arguments) throws ReflectiveOperationException {
        Method invocable = AopUtils.selectInvocableMethod(method, other.getClass());
        ReflectionUtils.makeAccessible(invocable);
        return invocable.invoke(other, arguments);
    }
}
