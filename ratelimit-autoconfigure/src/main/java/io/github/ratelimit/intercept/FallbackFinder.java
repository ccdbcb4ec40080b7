/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.RateLimitExceededException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
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
        Class<?> own = ClassUtils.getUserClass(targetClass);
        Signature wanted = Signature.of(place.method(), own);
        int separator = fallback.indexOf(SEPARATOR);
        if (separator < 0) {
            Method method = best(fitting(fallback, place, own, fallback, wanted), own, wanted);
            checkUnlimited(method, own, place, fallback);
            return new Fallback(null, own, method, wanted);
        }
        String name = fallback.substring(0, separator);
        if (!beans.containsBean(name)) {
            throw mistake(place, fallback, "names a bean '" + name + "' that does not exist");
        }
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
        if (type == null) {
            throw mistake(place, fallback, "names a bean '" + name + "' whose type is not known");
        }
        Class<?> other = ClassUtils.getUserClass(type);
        String method = fallback.substring(separator + SEPARATOR.length());
        List<Method> offered = offered(fitting(fallback, place, other, method, wanted), name, place, fallback);
        return new Fallback(() -> beans.getBean(name), other, best(offered, other, wanted), wanted);
    }

    /** No proxy stands before a method that is called on the object itself. */
    private static void checkUnlimited(Method method, Class<?> own, AnnotatedPlace place, String fallback) {
        if (AnnotatedPlace.of(method, own) != null) {
            throw new InvalidAnnotationException(
                    place.describe(),
                    "fallback",
                    fallback,
                    "names a method of the same class that is limited itself, and would be called past its limits",
                    "Name it as a method of a bean, bean::method, which is called as any other call is; or take its"
                            + " limits away, those of its class with @RateLimitExempt.");
        }
    }

    private static List<Method> fitting(
            String fallback, AnnotatedPlace place, Class<?> type, String name, Signature wanted) {
        List<Method> named = Methods.of(type).stream()
                .filter(candidate -> candidate.getName().equals(name))
                .toList();
        if (named.isEmpty()) {
            throw mistake(place, fallback, "names a method that " + type.getName() + " does not have");
        }
        List<Method> others = named.stream()
                .filter(candidate -> !isLimitedOne(candidate, type, place))
                .toList();
        if (others.isEmpty()) {
            throw itself(place, fallback);
        }
        List<Method> fitting = others.stream()
                .filter(candidate -> fits(Signature.of(candidate, type), wanted))
                .toList();
        if (fitting.isEmpty()) {
            throw mistake(place, fallback, "names a method whose parameters or result do not fit");
        }
        return fitting;
    }

    /** Whether a call of this one would be one of the limited method, which may override it. */
    private static boolean isLimitedOne(Method candidate, Class<?> type, AnnotatedPlace place) {
        return AopUtils.getMostSpecificMethod(candidate, type).equals(place.method());
    }

    /** What can be called of another bean: public methods, and of a proxy of interfaces those that are on one of them. */
    private List<Method> offered(List<Method> fitting, String bean, AnnotatedPlace place, String fallback) {
        List<Method> open = fitting.stream()
                .filter(candidate -> Modifier.isPublic(candidate.getModifiers()))
                .toList();
        if (open.isEmpty()) {
            throw mistake(place, fallback, "names a method of another bean that is not public");
        }
        Class<?> exposed = beans.getType(bean);
        if (exposed == null || !Proxy.isProxyClass(exposed)) {
            return open;
        }
        List<Method> offered =
                open.stream().filter(candidate -> has(exposed, candidate)).toList();
        if (offered.isEmpty()) {
            throw mistake(
                    place,
                    fallback,
                    "names a method that bean '" + bean + "' does not offer, which is a proxy of its interfaces");
        }
        return offered;
    }

    private static boolean has(Class<?> proxy, Method method) {
        return Arrays.stream(proxy.getInterfaces())
                .anyMatch(offering -> ClassUtils.hasMethod(offering, method.getName(), method.getParameterTypes()));
    }

    private static Method best(List<Method> fitting, Class<?> type, Signature wanted) {
        return Collections.max(
                fitting,
                Comparator.<Method>comparingInt(candidate -> exceptionDepth(Signature.of(candidate, type), wanted))
                        .thenComparingInt(candidate -> sameParameters(Signature.of(candidate, type), wanted)));
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
        return exception && resultFits(candidate, limited);
    }

    private static boolean resultFits(Signature candidate, Signature limited) {
        boolean nothing = limited.returnsNothing() && (!limited.suspends() || candidate.returnsNothing());
        return nothing || limited.result().isAssignableFrom(candidate.result());
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

    private static InvalidAnnotationException itself(AnnotatedPlace place, String fallback) {
        return new InvalidAnnotationException(
                place.describe(),
                "fallback",
                fallback,
                "names the limited method itself",
                "Name another method. If the limit is the one of its class, free the fallback with @RateLimitExempt.");
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
