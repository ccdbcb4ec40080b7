/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/**
 * A method as it is written. What the compiler makes of a suspending function takes one parameter more, the
 * continuation, and returns any object.
 *
 * @param parameters types of the parameters, without the continuation
 * @param result what it returns, or, suspending, will have returned
 * @param suspends whether it is a suspending function
 */
record Signature(List<Class<?>> parameters, ResolvableType result, boolean suspends) {

    static Signature of(Method method) {
        List<Class<?>> all = List.of(method.getParameterTypes());
        return KotlinDetector.isSuspendingFunction(method)
                ? new Signature(
                        all.subList(0, all.size() - 1),
                        ResolvableType.forType(new MethodParameter(method, -1).getGenericParameterType()),
                        true)
                : new Signature(all, ResolvableType.forMethodReturnType(method), false);
    }

    /** How many parameters there are. */
    int count() {
        return parameters.size();
    }

    boolean returnsNothing() {
        return result.resolve() == void.class;
    }
}
