/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.annotation.RateLimitExempt;
import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Where a method's limits are stated, and which they are. The most specific place wins as a whole: method, class,
 * interface method, interface.
 *
 * @param annotations the limits, in declared order
 * @param declaring the class or interface that states them
 * @param method the method of the target class that is limited
 */
record AnnotatedPlace(List<RateLimited> annotations, Class<?> declaring, Method method) {

    static @Nullable AnnotatedPlace of(Method called, Class<?> targetClass) {
        Class<?> userClass = ClassUtils.getUserClass(targetClass);
        Method method = AopUtils.getMostSpecificMethod(called, userClass);
        if (method.getDeclaringClass() == Object.class) {
            return null;
        }
        if (isExempt(method)) {
            return null;
        }
        AnnotatedPlace place = on(method, SearchStrategy.SUPERCLASS, method);
        if (place == null && Modifier.isPublic(method.getModifiers())) {
            place = on(userClass, SearchStrategy.SUPERCLASS, method);
        }
        if (place == null) {
            place = on(method, SearchStrategy.TYPE_HIERARCHY, method);
        }
        return place != null ? place : onInterface(userClass, method);
    }

    private static boolean isExempt(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(RateLimitExempt.class);
    }

    private static @Nullable AnnotatedPlace onInterface(Class<?> userClass, Method method) {
        for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(userClass)) {
            if (declares(type, method, userClass)) {
                AnnotatedPlace place = on(type, SearchStrategy.TYPE_HIERARCHY, method);
                if (place != null) {
                    return place;
                }
            }
        }
        return null;
    }

    private static boolean declares(Class<?> type, Method method, Class<?> userClass) {
        for (Method candidate : type.getMethods()) {
            if (candidate.getName().equals(method.getName())
                    && candidate.getParameterCount() == method.getParameterCount()
                    && AopUtils.getMostSpecificMethod(candidate, userClass).equals(method)) {
                return true;
            }
        }
        return false;
    }

    /** The annotations of the nearest element that has any; what stands further away does not count. */
    private static @Nullable AnnotatedPlace on(AnnotatedElement element, SearchStrategy strategy, Method method) {
        List<MergedAnnotation<RateLimited>> all = MergedAnnotations.from(element, strategy).stream(RateLimited.class)
                .toList();
        if (all.isEmpty()) {
            return null;
        }
        int nearest =
                all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
        List<RateLimited> annotations = all.stream()
                .filter(annotation -> annotation.getAggregateIndex() == nearest)
                .map(MergedAnnotation::synthesize)
                .toList();
        Object source = all.get(0).getSource();
        Class<?> declaring = source instanceof Method on
                ? on.getDeclaringClass()
                : source instanceof Class<?> type ? type : method.getDeclaringClass();
        return new AnnotatedPlace(annotations, declaring, method);
    }

    /** Class and method with the types of its parameters, as people are told. */
    String describe() {
        return MethodText.of(method);
    }
}
