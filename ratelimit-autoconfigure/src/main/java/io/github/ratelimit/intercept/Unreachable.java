/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Refuses limits that no proxy can stand before: on private and static methods always, on final ones and in final
 * classes where the proxy is a subclass, on package-private ones that come from another package.
 */
final class Unreachable {

    private static final Logger LOG = LoggerFactory.getLogger(Unreachable.class);

    private Unreachable() {}

    /**
     * The methods that a proxy can stand before.
     *
     * @throws InvalidAnnotationException if the class itself limits another one
     */
    static List<Method> reachable(List<Method> methods, Class<?> type, boolean subclassed) {
        List<Method> reachable = new ArrayList<>();
        for (Method method : methods) {
            String what = what(method, type, subclassed);
            if (what == null) {
                reachable.add(method);
            } else if (isStatedOn(method)) {
                throw mistake(method, what);
            } else {
                checkInherited(method, type, what);
            }
        }
        if (subclassed && ClassUtils.getAllInterfacesForClass(type).length == 0) {
            FinalClass.check(type, reachable);
        }
        return reachable;
    }

    /** Refuses limits on these private and static methods, which are nobody's but their interface's. */
    static void checkOfInterfaces(List<Method> methods) {
        for (Method method : methods) {
            if (isStatedOn(method)) {
                throw mistake(method, Modifier.isStatic(method.getModifiers()) ? "static" : "private");
            }
        }
    }

    private static boolean isStatedOn(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.DIRECT).isPresent(RateLimited.class);
    }

    /**
     * Refuses a class that is limited as a whole and whose methods others can call, but none of them is public.
     *
     * @param methods all methods of the class, of which none is limited
     */
    static void checkPublic(List<Method> methods, Class<?> type) {
        List<Method> called = methods.stream().filter(Unreachable::isCalled).toList();
        boolean hidden = called.stream().noneMatch(method -> Modifier.isPublic(method.getModifiers()));
        if (hidden && !called.isEmpty() && isLimited(type)) {
            throw new InvalidAnnotationException(
                    type.getName(),
                    "@RateLimited",
                    type.getSimpleName(),
                    "is on a class without public methods, and only these are limited by their class: all would go"
                            + " unlimited",
                    "Make the methods public, or state the limit on each.");
        }
    }

    private static boolean isLimited(Class<?> type) {
        Annotations stated = Annotations.nearest(type, SearchStrategy.SUPERCLASS);
        return stated != null && !stated.limits().isEmpty();
    }

    private static boolean isCalled(Method method) {
        return (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0
                && !ReflectionUtils.isObjectMethod(method);
    }

    private static @Nullable String what(Method method, Class<?> type, boolean subclassed) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            return "private";
        }
        if (Modifier.isStatic(modifiers)) {
            return "static";
        }
        if (Modifier.isFinal(modifiers) && subclassed) {
            return "final";
        }
        return isHidden(method, type) ? "package-private" : null;
    }

    /** Nothing in another package can override it. */
    private static boolean isHidden(Method method, Class<?> type) {
        int open = Modifier.PUBLIC | Modifier.PROTECTED;
        return (method.getModifiers() & open) == 0
                && !method.getDeclaringClass().getPackageName().equals(type.getPackageName());
    }

    /** A final method limited by its class; where it comes from above that class, nobody here can change it. */
    private static void checkInherited(Method method, Class<?> type, String what) {
        AnnotatedPlace place = AnnotatedPlace.of(method, type);
        if (place == null) {
            return;
        }
        if (place.owner() != method.getDeclaringClass()
                && method.getDeclaringClass().isAssignableFrom(place.owner())) {
            LOG.warn("{} is {} in a superclass and cannot be limited as the rest of its class.", place.limited(), what);
            return;
        }
        throw mistake(method, what);
    }

    private static InvalidAnnotationException mistake(Method method, String what) {
        return new InvalidAnnotationException(
                MethodText.of(method),
                "@RateLimited",
                method.getName(),
                "is on a " + what + " method, which no proxy can stand before: it would go unlimited",
                "Make the method public and not " + what + ", or move it to another bean.");
    }
}
