/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.MethodExecutor;
import org.springframework.expression.spel.support.ReflectiveMethodResolver;

/**
 * Finds methods as SpEL does, and remembers them. SpEL itself remembers one per place in an expression, and would look
 * through all methods of a class at every call when arguments have now this type, now that.
 */
final class RememberingMethodResolver extends ReflectiveMethodResolver {

    /** More types than expressions meet; beyond it, nothing more is remembered. */
    private static final int MOST = 1_000;

    private final Map<Wanted, MethodExecutor> found = new ConcurrentHashMap<>();

    private record Wanted(Class<?> type, boolean isStatic, String name, List<@Nullable TypeDescriptor> arguments) {}

    @Override
    public @Nullable MethodExecutor resolve(
            EvaluationContext context, Object target, String name, List<TypeDescriptor> argumentTypes)
            throws AccessException {
        boolean isStatic = target instanceof Class;
        Class<?> type = isStatic ? (Class<?>) target : target.getClass();
        @Nullable TypeDescriptor[] arguments = argumentTypes.toArray(new @Nullable TypeDescriptor[0]);
        Wanted wanted = new Wanted(type, isStatic, name, Arrays.asList(arguments));
        MethodExecutor executor = found.get(wanted);
        if (executor == null) {
            executor = super.resolve(context, target, name, argumentTypes);
            if (executor != null && found.size() < MOST) {
                found.put(wanted, executor);
            }
        }
        return executor;
    }
}
