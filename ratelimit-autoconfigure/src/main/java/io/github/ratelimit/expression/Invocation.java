/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * One call of a limited method.
 *
 * @param target the bean behind the proxy
 * @param targetClass its class
 * @param method the method that is called
 * @param arguments what it is called with; not copied
 * @param caller who sent the web request, where that is known better than by looking at the present thread
 */
@SuppressWarnings("ArrayRecordComponent") // on the way of every call; nobody compares invocations
public record Invocation(
        Object target,
        Class<?> targetClass,
        Method method,
        @Nullable Object[] arguments,
        @Nullable Caller caller) {

    /** A call whose caller is asked of the {@link CallerSource} when an expression wants it. */
    public Invocation(Object target, Class<?> targetClass, Method method, @Nullable Object[] arguments) {
        this(target, targetClass, method, arguments, null);
    }

    /** The same call, sent by this caller. */
    public Invocation withCaller(@Nullable Caller caller) {
        return new Invocation(target, targetClass, method, arguments, caller);
    }
}
