/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Where a method's limits are stated, and which they are. The most specific place wins as a whole: method (or one it
 * overrides), class (or superclass), interface method, interface. Being exempt is a statement like any other.
 *
 * <p>Worked example: {@code @RateLimited interface Api { Order find(long id); }} and two beans that implement it. The
 * method is each bean's own {@code find}; the statement is about {@code Api.find}, whose parameters are called as the
 * interface calls them, and a nameless limit is {@code api-find}, one for both.
 *
 * @param annotations the limits, in declared order
 * @param owner the class or interface a nameless limit is called after: the one that declares the method, or the one
 *     below it that limits what it inherits
 * @param written the method the statement is about
 * @param method the method of the target class that is limited
 */
record AnnotatedPlace(List<RateLimited> annotations, Class<?> owner, Method written, Method method) {

    static @Nullable AnnotatedPlace of(Method called, Class<?> targetClass) {
        AnnotatedPlace place = find(called, targetClass);
        return place == null || place.annotations.isEmpty() ? null : place;
    }

    private static @Nullable AnnotatedPlace find(Method called, Class<?> targetClass) {
        Class<?> type = ClassUtils.getUserClass(targetClass);
        Method method = AopUtils.getMostSpecificMethod(called, type);
        int modifiers = method.getModifiers();
        if (method.getDeclaringClass() == Object.class
                || Modifier.isStatic(modifiers)
                || Modifier.isPrivate(modifiers)) {
            return null;
        }
        Annotations stated = Annotations.nearest(method, SearchStrategy.SUPERCLASS);
        if (stated != null) {
            return onMethod(stated, method);
        }
        boolean whole = Modifier.isPublic(modifiers)
                && !ReflectionUtils.isObjectMethod(method)
                && !AroundHandlers.include(method, type);
        stated = whole ? Annotations.nearest(type, SearchStrategy.SUPERCLASS) : null;
        if (stated != null) {
            return new AnnotatedPlace(stated.limits(), owner(stated, method, type), method, method);
        }
        AnnotatedPlace place = onInterfaceMethod(type, method);
        return place == null && whole ? onInterface(type, method) : place;
    }

    private static AnnotatedPlace onMethod(Annotations stated, Method method) {
        Method written = stated.source() instanceof Method source ? source : method;
        return new AnnotatedPlace(stated.limits(), written.getDeclaringClass(), written, method);
    }

    private static @Nullable AnnotatedPlace onInterfaceMethod(Class<?> type, Method method) {
        for (Class<?> implemented : ClassUtils.getAllInterfacesForClassAsSet(type)) {
            for (Method candidate : implemented.getMethods()) {
                if (isImplementedBy(method, candidate, type)) {
                    Annotations stated = Annotations.nearest(candidate, SearchStrategy.TYPE_HIERARCHY);
                    if (stated != null) {
                        Method written = stated.source() instanceof Method source ? source : candidate;
                        return new AnnotatedPlace(
                                stated.limits(),
                                written.getDeclaringClass(),
                                written,
                                Proxy.isProxyClass(type) ? candidate : method);
                    }
                }
            }
        }
        return null;
    }

    private static @Nullable AnnotatedPlace onInterface(Class<?> type, Method method) {
        for (Class<?> implemented : ClassUtils.getAllInterfacesForClassAsSet(type)) {
            Annotations stated = Annotations.nearest(implemented, SearchStrategy.TYPE_HIERARCHY);
            if (stated == null) {
                continue;
            }
            for (Method candidate : implemented.getMethods()) {
                if (isImplementedBy(method, candidate, type)) {
                    return new AnnotatedPlace(
                            stated.limits(),
                            owner(stated, candidate, implemented),
                            candidate,
                            Proxy.isProxyClass(type) ? candidate : method);
                }
            }
        }
        return null;
    }

    private static boolean isImplementedBy(Method method, Method candidate, Class<?> type) {
        return candidate.getName().equals(method.getName())
                && candidate.getParameterCount() == method.getParameterCount()
                && AopUtils.getMostSpecificMethod(candidate, type).equals(method);
    }

    /** The lower one of the type that states and the type that declares. */
    private static Class<?> owner(Annotations stated, Method method, Class<?> type) {
        Class<?> declaring = method.getDeclaringClass();
        if (!(stated.source() instanceof Class<?> stating)) {
            return declaring;
        }
        if (declaring.isAssignableFrom(stating)) {
            return stating;
        }
        return stating.isAssignableFrom(declaring) ? declaring : type;
    }

    /** Where the statement stands: class and method with the types of its parameters, as people are told. */
    String describe() {
        return MethodText.of(owner, written);
    }

    /** What is limited, as people are told. */
    String limited() {
        return owner.isInterface() || !method.getDeclaringClass().isAssignableFrom(owner)
                ? MethodText.of(method)
                : MethodText.of(owner, method);
    }
}
