/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

/** Limits in a final class, which no proxy can be a subclass of. */
public final class FinalClass {

    private FinalClass() {}

    /**
     * Tells of the limits in a class of which a proxy was to be a subclass.
     *
     * @throws InvalidAnnotationException if the class is final and limits a method
     */
    public static void check(Class<?> type) {
        check(type, Methods.readableOf(type));
    }

    static void check(Class<?> type, List<Method> methods) {
        if (!Modifier.isFinal(type.getModifiers())) {
            return;
        }
        for (Method method : methods) {
            AnnotatedPlace place = AnnotatedPlace.of(method, type);
            if (place != null) {
                throw new InvalidAnnotationException(
                        place.limited(),
                        "@RateLimited",
                        method.getName(),
                        "is on a method of a final class, which no proxy can be a subclass of",
                        "Make the class not final, in Kotlin open, or move the method to another bean.");
            }
        }
    }
}
