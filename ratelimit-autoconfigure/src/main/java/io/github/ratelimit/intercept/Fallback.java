/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.RateLimitExceededException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/** What is called instead of throwing: a method of the target, or of another bean, with the call's own arguments. */
final class Fallback {

    private final @Nullable Supplier<Object> bean;
    private final Class<?> type;
    private final Method method;
    private final int arguments;
    private final boolean takesException;
    private final boolean suspends;

    /**
     * A fallback.
     *
     * @param bean whose method it is; {@code null}: the target of the call
     * @param type the class of that bean, or target
     * @param method what is called
     * @param limited the method it stands in for
     */
    Fallback(@Nullable Supplier<Object> bean, Class<?> type, Method method, Signature limited) {
        Signature own = Signature.of(method);
        this.bean = bean;
        this.type = type;
        this.method = method;
        this.arguments = limited.count();
        this.takesException = own.count() > limited.count();
        this.suspends = own.suspends();
        ReflectionUtils.makeAccessible(method);
    }

    /** What is called. */
    Method method() {
        return method;
    }

    /** The class of what it is called on. */
    Class<?> type() {
        return type;
    }

    @Nullable
    Object call(Object target, @Nullable Object[] given, RateLimitExceededException exceeded) throws Throwable {
        @Nullable Object[] all = Arrays.copyOf(given, takesException ? arguments + 1 : arguments);
        if (takesException) {
            all[arguments] = exceeded;
        }
        Object on = bean == null ? behindProxies(target) : bean.get();
        Method invocable = bean == null ? method : invocableOn(on);
        if (suspends) {
            return KotlinFunction.call(invocable, on, all, Objects.requireNonNull(given[arguments]));
        }
        try {
            return invocable.invoke(on, all);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** A proxy that the application has made is an empty object of the class, or none of it. */
    private Object behindProxies(Object target) {
        Object behind = target;
        while (behind instanceof Advised) {
            Object next = AopProxyUtils.getSingletonTarget(behind);
            if (next == null || !method.getDeclaringClass().isInstance(next)) {
                return behind;
            }
            behind = next;
        }
        return behind;
    }

    /** Another bean may stand behind a proxy of its interfaces. */
    private Method invocableOn(Object other) {
        Method invocable = AopUtils.selectInvocableMethod(method, other.getClass());
        ReflectionUtils.makeAccessible(invocable);
        return invocable;
    }
}
