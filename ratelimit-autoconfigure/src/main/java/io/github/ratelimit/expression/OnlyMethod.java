/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Finds the method of an object that a call must mean, where nothing is left to choose or to convert. */
final class OnlyMethod {

    private static final MethodType CALL = MethodType.methodType(Object.class, Object[].class);

    private OnlyMethod() {}

    /**
     * The method bound to the object, as a handle {@code (Object[]) → Object}; null unless exactly one can be meant and
     * takes the arguments as they are.
     */
    static @Nullable MethodHandle of(Object target, String name, List<Operand> arguments) {
        List<Method> candidates = Arrays.stream(target.getClass().getMethods())
                .filter(method -> method.getName().equals(name) && !method.isBridge())
                .filter(method -> method.getParameterCount() == arguments.size() || method.isVarArgs())
                .toList();
        if (candidates.size() != 1 || !takes(candidates.get(0), arguments)) {
            return null;
        }
        Method method = ClassUtils.getInterfaceMethodIfPossible(candidates.get(0), target.getClass());
        MethodHandle handle = Members.unreflected(method);
        return handle == null
                ? null
                : handle.bindTo(target)
                        .asSpreader(Object[].class, arguments.size())
                        .asType(CALL);
    }

    private static boolean takes(Method method, List<Operand> arguments) {
        boolean takes = !method.isVarArgs()
                && !Modifier.isStatic(method.getModifiers())
                && method.getReturnType() != void.class;
        for (int i = 0; takes && i < arguments.size(); i++) {
            takes = takes(method.getParameterTypes()[i], arguments.get(i));
        }
        return takes;
    }

    private static boolean takes(Class<?> parameter, Operand argument) {
        Class<?> given = ClassUtils.resolvePrimitiveIfNecessary(argument.type());
        if (!parameter.isPrimitive()) {
            return parameter.isAssignableFrom(given);
        }
        boolean neverNull = argument.type().isPrimitive() || argument instanceof Operand.Constant;
        return neverNull && ClassUtils.resolvePrimitiveIfNecessary(parameter) == given;
    }
}
