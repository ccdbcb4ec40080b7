/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;

/**
 * Refuses a fallback that is limited itself and whose own fallback, or that one's, is the method it stands in for: were all
 * denied, they would call each other without end.
 */
final class EndlessFallbacks {

    private final MethodClassKey start;
    private final BiFunction<Method, Class<?>, @Nullable LimitedMethod> methods;
    private final Set<MethodClassKey> passed = new HashSet<>();

    private EndlessFallbacks(MethodClassKey start, BiFunction<Method, Class<?>, @Nullable LimitedMethod> methods) {
        this.start = start;
        this.methods = methods;
    }

    /** Follows the fallbacks of a method; a method of a class is limited as the function says, {@code null}: not at all. */
    static void check(LimitedMethod method, BiFunction<Method, Class<?>, @Nullable LimitedMethod> methods) {
        for (int i = 0; i < method.limits().size(); i++) {
            if (new EndlessFallbacks(method.key(), methods)
                    .leadsBack(method.limits().get(i))) {
                throw new InvalidAnnotationException(
                        method.stated(),
                        "fallback",
                        method.annotation(i).fallback(),
                        "is limited itself, and its fallbacks lead back to this method: denied, they would call each"
                                + " other without end",
                        "Let one of them have a fallback that is not limited, or none.");
            }
        }
    }

    private boolean leadsBack(MethodLimit limit) {
        Fallback fallback = limit.fallback();
        LimitedMethod next = fallback == null ? null : methods.apply(fallback.method(), fallback.type());
        if (next == null || !passed.add(next.key())) {
            return false;
        }
        return next.key().equals(start) || next.limits().stream().anyMatch(this::leadsBack);
    }
}
