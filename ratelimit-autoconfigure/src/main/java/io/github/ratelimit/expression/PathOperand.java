/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code #order.customer.id}: an operand and the members read one after the other, found at start from declared types. */
final class PathOperand implements Operand {

    private final Operand root;
    private final Step[] steps;
    private final Class<?> type;
    private final Site site;

    PathOperand(Operand root, List<Step> steps, Class<?> type, Site site) {
        this.root = root;
        this.steps = steps.toArray(Step[]::new);
        this.type = type;
        this.site = site;
    }

    /** One member: {@code (Object) → Object}; {@code ?.} passes a null on. */
    record Step(String name, boolean nullSafe, MethodHandle member) {}

    @Override
    public Class<?> type() {
        return type;
    }

    @Override
    public @Nullable Object of(@Nullable Object[] arguments, @Nullable Caller caller) {
        Object value = root.of(arguments, caller);
        for (Step step : steps) {
            if (value != null) {
                value = read(step, value);
            } else if (!step.nullSafe) {
                throw site.nothingThere("reads '%s' of something that is null".formatted(step.name));
            }
        }
        return value;
    }

    private @Nullable Object read(Step step, Object target) {
        try {
            return (@Nullable Object) step.member.invokeExact(target);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw site.unusable("failed at '%s'".formatted(step.name), e);
        }
    }
}
