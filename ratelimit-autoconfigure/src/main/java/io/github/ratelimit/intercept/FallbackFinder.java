/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.RateLimitExceededException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Finds the method an annotation's {@code fallback} names, at start. It takes the parameters of the limited method,
 * optionally followed by the exception; of several that fit, the one with the most specific exception is taken, and one
 * without it last.
 */
final class FallbackFinder {

    private static final String SEPARATOR = "::";

    private final ConfigurableListableBeanFactory beans;

    FallbackFinder(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Nullable
    Fallback find(String fallback, AnnotatedPlace place, Class<?> targetClass) {
        if (fallback.isEmpty()) {
            return null;
        }
        int separator = fallback.indexOf(SEPARATOR);
        if (separator < 0) {
            return pick(fallback, place, ClassUtils.getUserClass(targetClass), fallback, null);
        }
        String name = fallback.substring(0, separator);
        if (!beans.containsBean(name)) {
            throw mistake(place, fallback, "names a bean '" + name + "' that does not exist");
        }
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
        if (type == null) {
            throw mistake(place, fallback, "names a bean '" + name + "' whose type is not known");
        }
        return pick(
                fallback,
                place,
                ClassUtils.getUserClass(type),
                fallback.substring(separator + SEPARATOR.length()),
                () -> beans.getBean(name));
    }

    private static Fallback pick(
            String fallback, AnnotatedPlace place, Class<?> type, String name, @Nullable Supplier<Object> bean) {
        Method limited = place.method();
        Signature wanted = Signature.of(limited);
        List<Method> named = Methods.of(type).stream()
                .filter(candidate -> candidate.getName().equals(name) && !candidate.equals(limited))
                .toList();
        if (named.isEmpty()) {
            throw mistake(place, fallback, "names a method that " + type.getName() + " does not have");
        }
        List<Method> fitting = named.stream()
                .filter(candidate -> fits(Signature.of(candidate), wanted))
                .toList();
        if (fitting.isEmpty()) {
            throw mistake(place, fallback, "names a method whose parameters or result do not fit");
        }
        Method best = fitting.stream()
                .filter(candidate -> bean == null || Modifier.isPublic(candidate.getModifiers()))
                .max(Comparator.<Method>comparingInt(candidate -> exceptionDepth(Signature.of(candidate), wanted))
                        .thenComparingInt(candidate -> sameParameters(Signature.of(candidate), wanted)))
                .orElseThrow(() -> mistake(place, fallback, "names a method of another bean that is not public"));
        return new Fallback(bean, best, wanted);
    }

    private static boolean fits(Signature candidate, Signature limited) {
        int more = candidate.count() - limited.count();
        if (more < 0 || more > 1 || (candidate.suspends() && !limited.suspends())) {
            return false;
        }
        for (int i = 0; i < limited.count(); i++) {
            if (!ClassUtils.isAssignable(
                    candidate.parameters().get(i), limited.parameters().get(i))) {
                return false;
            }
        }
        boolean exception = more == 0
                || candidate.parameters().get(limited.count()).isAssignableFrom(RateLimitExceededException.class);
        return exception && (limited.returnsNothing() || limited.result().isAssignableFrom(candidate.result()));
    }

    /** How close the last parameter is to the exception; less than any when there is none. */
    private static int exceptionDepth(Signature candidate, Signature limited) {
        if (candidate.count() == limited.count()) {
            return -1;
        }
        int depth = 0;
        Class<?> type = candidate.parameters().get(limited.count());
        while (type.getSuperclass() != null) {
            type = type.getSuperclass();
            depth++;
        }
        return depth;
    }

    private static int sameParameters(Signature candidate, Signature limited) {
        int same = 0;
        for (int i = 0; i < limited.count(); i++) {
            same += candidate.parameters().get(i) == limited.parameters().get(i) ? 1 : 0;
        }
        return same;
    }

    private static InvalidAnnotationException mistake(AnnotatedPlace place, String fallback, String problem) {
        return new InvalidAnnotationException(
                place.describe(),
                "fallback",
                fallback,
                problem,
                "Name a method with the parameters of the limited one, optionally followed by a"
                        + " RateLimitExceededException, and a result that fits: method of the same class, or"
                        + " bean::method.");
    }
}
