/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.RateLimitExceededException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the method an annotation's {@code fallback} names, at start. It takes the parameters of the limited method,
 * optionally followed by the exception; of several that fit, the one with the most specific exception is taken, and one
 * without it last.
 */
final class FallbackFinder {

    private static final String SEPARATOR = "::";

    private final BeanFactory beans;

    FallbackFinder(BeanFactory beans) {
        this.beans = beans;
    }

    @Nullable
    Fallback find(String fallback, Method limited, Class<?> targetClass) {
        if (fallback.isEmpty()) {
            return null;
        }
        int separator = fallback.indexOf(SEPARATOR);
        if (separator < 0) {
            return pick(fallback, limited, targetClass, fallback, null);
        }
        String name = fallback.substring(0, separator);
        if (!beans.containsBean(name)) {
            throw mistake(limited, fallback, "names a bean '" + name + "' that does not exist");
        }
        Class<?> type = beans.getType(name);
        if (type == null) {
            throw mistake(limited, fallback, "names a bean '" + name + "' whose type is not known");
        }
        return pick(
                fallback,
                limited,
                ClassUtils.getUserClass(type),
                fallback.substring(separator + SEPARATOR.length()),
                () -> beans.getBean(name));
    }

    private static Fallback pick(
            String fallback, Method limited, Class<?> type, String name, @Nullable Supplier<Object> bean) {
        List<Method> named = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
                .filter(candidate -> candidate.getName().equals(name) && !candidate.equals(limited))
                .toList();
        Method best = named.stream()
                .filter(candidate -> fits(candidate, limited))
                .max(Comparator.comparingInt(candidate -> specificity(candidate, limited)))
                .orElseThrow(() -> mistake(
                        limited,
                        fallback,
                        named.isEmpty()
                                ? "names a method that " + type.getName() + " does not have"
                                : "names a method whose parameters or result do not fit"));
        boolean callable = bean == null || Modifier.isPublic(best.getModifiers());
        if (!callable) {
            throw mistake(limited, fallback, "names a method of another bean that is not public");
        }
        Method target = bean == null ? best : AopUtils.selectInvocableMethod(best, type);
        ReflectionUtils.makeAccessible(target);
        return new Fallback(bean, target, best.getParameterCount() > limited.getParameterCount());
    }

    private static boolean fits(Method candidate, Method limited) {
        Class<?>[] wanted = limited.getParameterTypes();
        Class<?>[] taken = candidate.getParameterTypes();
        if (taken.length < wanted.length || taken.length > wanted.length + 1) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (!ClassUtils.isAssignable(taken[i], wanted[i])) {
                return false;
            }
        }
        boolean exception = taken.length == wanted.length
                || taken[wanted.length].isAssignableFrom(RateLimitExceededException.class);
        return exception && resultFits(candidate, limited);
    }

    private static boolean resultFits(Method candidate, Method limited) {
        return limited.getReturnType() == void.class
                || ResolvableType.forMethodReturnType(limited)
                        .isAssignableFrom(ResolvableType.forMethodReturnType(candidate));
    }

    /** How close the last parameter is to the exception; less than any when there is none. */
    private static int specificity(Method candidate, Method limited) {
        if (candidate.getParameterCount() == limited.getParameterCount()) {
            return -1;
        }
        int depth = 0;
        Class<?> type = candidate.getParameterTypes()[limited.getParameterCount()];
        while (type.getSuperclass() != null) {
            type = type.getSuperclass();
            depth++;
        }
        return depth;
    }

    private static InvalidAnnotationException mistake(Method limited, String fallback, String problem) {
        return new InvalidAnnotationException(
                MethodText.of(limited),
                "fallback",
                fallback,
                problem,
                "Name a method with the parameters of the limited one, optionally followed by a"
                        + " RateLimitExceededException, and a result that fits: method of the same class, or"
                        + " bean::method.");
    }
}
