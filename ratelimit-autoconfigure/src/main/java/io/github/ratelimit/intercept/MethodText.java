/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a method is told to people. */
final class MethodText {

    private MethodText() {}

    /** {@code com.example.OrderController.create(String, Order)}. */
    static String of(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
    }

    /** {@code order-controller-create}: the name of a limit that states none. */
    static String kebab(Class<?> type, Method method) {
        return kebab(type.getSimpleName()) + "-" + kebab(method.getName());
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .replaceAll("([A-Z]+)([A-Z][a-z])", "$1-$2")
                .replaceAll("[^A-Za-z0-9]+", "-")
                .replaceAll("^-|-$", "")
                .toLowerCase(Locale.ROOT);
    }
}
