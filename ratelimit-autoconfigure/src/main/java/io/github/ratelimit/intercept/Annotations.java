/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimitExempt;
import io.github.ratelimit.annotation.RateLimited;
import java.lang.annotation.Annotation;
import java.lang.annotation.Repeatable;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationConfigurationException;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * What the nearest element says that says anything; what stands further away does not count.
 *
 * @param limits the limits it states, in declared order; none: it exempts
 * @param source the element
 */
record Annotations(List<RateLimited> limits, Object source) {

    /** Looks at an element and, as far as the strategy goes, at what it overrides or extends. */
    static @Nullable Annotations nearest(AnnotatedElement element, SearchStrategy strategy) {
        try {
            return read(element, strategy);
        } catch (AnnotationConfigurationException e) {
            throw unreadable(element, e);
        }
    }

    private static @Nullable Annotations read(AnnotatedElement element, SearchStrategy strategy) {
        MergedAnnotations all = MergedAnnotations.from(element, strategy);
        List<MergedAnnotation<RateLimited>> stated = all.stream(RateLimited.class)
                .filter(annotation -> !isOnBridge(annotation))
                .toList();
        MergedAnnotation<RateLimitExempt> exempt = all.get(RateLimitExempt.class);
        int nearest = stated.stream()
                .mapToInt(MergedAnnotation::getAggregateIndex)
                .min()
                .orElse(Integer.MAX_VALUE);
        if (exempt.isPresent() && exempt.getAggregateIndex() <= nearest) {
            if (exempt.getAggregateIndex() == nearest) {
                throw contradiction(element);
            }
            return new Annotations(List.of(), element);
        }
        List<MergedAnnotation<RateLimited>> limits = stated.stream()
                .filter(annotation -> annotation.getAggregateIndex() == nearest)
                .sorted(Comparator.comparingInt(Annotations::position))
                .toList();
        if (limits.isEmpty()) {
            return null;
        }
        Object source = limits.get(0).getSource();
        return new Annotations(
                limits.stream().map(MergedAnnotation::synthesize).toList(), source == null ? element : source);
    }

    /** What the compiler copied from the method that it bridges to: it would be counted twice. */
    private static boolean isOnBridge(MergedAnnotation<RateLimited> annotation) {
        return annotation.getSource() instanceof Method method && method.isBridge();
    }

    /** Where the annotation, or the one that it is part of, stands among those of its element. */
    private static int position(MergedAnnotation<RateLimited> annotation) {
        Class<? extends Annotation> written = annotation.getRoot().getType();
        Repeatable repeatable = written.getAnnotation(Repeatable.class);
        Annotation[] all = annotation.getSource() instanceof AnnotatedElement element
                ? element.getDeclaredAnnotations()
                : new Annotation[0];
        for (int i = 0; i < all.length; i++) {
            Class<?> type = all[i].annotationType();
            if (type == written || (repeatable != null && type == repeatable.value())) {
                return i;
            }
        }
        return all.length;
    }

    private static InvalidAnnotationException unreadable(
            AnnotatedElement element, AnnotationConfigurationException failure) {
        for (RateLimited stated : element.getDeclaredAnnotationsByType(RateLimited.class)) {
            if (!stated.name().isEmpty()
                    && !stated.value().isEmpty()
                    && !stated.name().equals(stated.value())) {
                return new InvalidAnnotationException(
                        place(element),
                        "name",
                        stated.name(),
                        "is not the same as value = \"" + stated.value() + "\", and both mean the limit's name",
                        "State one of them; for several limits repeat @RateLimited.");
            }
        }
        return new InvalidAnnotationException(
                place(element),
                "@RateLimited",
                "",
                "cannot be read: " + failure.getMessage(),
                "Correct how the annotations pass their attributes on.");
    }

    private static String place(AnnotatedElement element) {
        return element instanceof Method method ? MethodText.of(method) : element.toString();
    }

    private static InvalidAnnotationException contradiction(AnnotatedElement element) {
        return new InvalidAnnotationException(
                place(element), "@RateLimitExempt", "", "stands beside @RateLimited", "Remove one of them.");
    }
}
