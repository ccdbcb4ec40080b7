/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How a method is told to people. */
final class MethodText {

    private MethodText() {}

    /** {@code com.example.OrderController.create(String, Order)}. */
    static String of(Method method) {
        return of(method.getDeclaringClass(), method);
    }

    /**
     * A method that a class declares or inherits, with the parameters that are written. Their types have simple names,
     * unless that is how another method of the class reads as well: two methods never have the same text.
     */
    static String of(Class<?> type, Method method) {
        String simple = written(method);
        boolean ambiguous = Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
                .anyMatch(other -> other.getName().equals(method.getName())
                        && !other.isBridge()
                        && !Arrays.equals(other.getParameterTypes(), method.getParameterTypes())
                        && written(other).equals(simple));
        String parameters = ambiguous ? joined(List.of(method.getParameterTypes()), Class::getTypeName) : simple;
        return type.getName() + "." + method.getName() + "(" + parameters + ")";
    }

    private static String written(Method method) {
        return joined(Signature.of(method).parameters(), Class::getSimpleName);
    }

    private static String joined(List<Class<?>> types, Function<Class<?>, String> text) {
        return types.stream().map(text).collect(Collectors.joining(", "));
    }

    /** {@code order-controller-create}: the name of a limit that states none. */
    static String kebab(Class<?> type, Method method) {
        return kebab(type.getSimpleName()) + "-" + kebab(method.getName());
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([\\p{Ll}\\p{N}])(\\p{Lu})", "$1-$2")
                .replaceAll("(\\p{Lu}+)(\\p{Lu}\\p{Ll})", "$1-$2")
                .replaceAll("[^\\p{L}\\p{N}]+", "-")
                .replaceAll("^-|-$", "")
                .toLowerCase(Locale.ROOT);
    }
}
