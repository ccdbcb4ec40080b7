/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.IntStream;
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

    private static final String UNIT = "kotlin.Unit";

    static Signature of(Method method) {
        return of(method, method.getDeclaringClass());
    }

    /** A method as a class has it, which may say what the method's own class leaves open. */
    static Signature of(Method method, Class<?> type) {
        List<Class<?>> all = IntStream.range(0, method.getParameterCount())
                .<Class<?>>mapToObj(
                        i -> ResolvableType.forMethodParameter(method, i, type).resolve(method.getParameterTypes()[i]))
                .toList();
        return KotlinDetector.isSuspendingFunction(method)
                ? new Signature(
                        all.subList(0, all.size() - 1),
                        ResolvableType.forType(
                                new MethodParameter(method, -1).getGenericParameterType(),
                                ResolvableType.forClass(type).as(method.getDeclaringClass())),
                        true)
                : new Signature(all, ResolvableType.forMethodReturnType(method, type), false);
    }

    /** How many parameters there are. */
    int count() {
        return parameters.size();
    }

    /** Whether there is no result; of a suspending function that is Kotlin's {@code Unit}. */
    boolean returnsNothing() {
        Class<?> type = result.resolve();
        return type == void.class || (suspends && type != null && UNIT.equals(type.getName()));
    }
}
