/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimitExempt;
import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
        MergedAnnotations all = MergedAnnotations.from(element, strategy);
        List<MergedAnnotation<RateLimited>> stated =
                all.stream(RateLimited.class).toList();
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
                .toList();
        if (limits.isEmpty()) {
            return null;
        }
        Object source = limits.get(0).getSource();
        return new Annotations(
                limits.stream().map(MergedAnnotation::synthesize).toList(), source == null ? element : source);
    }

    private static InvalidAnnotationException contradiction(AnnotatedElement element) {
        return new InvalidAnnotationException(
                element instanceof Method method ? MethodText.of(method) : element.toString(),
                "@RateLimitExempt",
                "",
                "stands beside @RateLimited",
                "Remove one of them.");
    }
}
