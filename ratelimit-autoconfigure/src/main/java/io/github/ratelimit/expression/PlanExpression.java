/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The plan a call is counted by. */
public final class PlanExpression {

    private final Operand operand;
    private final Site site;

    PlanExpression(Operand operand, Site site) {
        this.operand = operand;
        this.site = site;
    }

    /**
     * The name of the plan, which is not checked to exist; null or blank text means none, and gives null.
     *
     * @throws IllegalArgumentException when the value is neither text nor an enum constant
     */
    public @Nullable String planOf(Invocation invocation) {
        Object value = operand.of(invocation.arguments(), invocation.caller());
        if (value instanceof Optional<?> optional) {
            value = optional.orElse(null);
        }
        if (value == null) {
            return null;
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof CharSequence text) {
            String name = text.toString();
            return name.isBlank() ? null : name;
        }
        throw site.unusable(
                "is a %s instead of the name of a plan"
                        .formatted(value.getClass().getName()),
                null);
    }

    /** Whether no call has a plan by this expression: it is empty. */
    public boolean isEmpty() {
        return site.source().isEmpty();
    }

    /** What is written, placeholders resolved. */
    public String source() {
        return site.source();
    }
}
