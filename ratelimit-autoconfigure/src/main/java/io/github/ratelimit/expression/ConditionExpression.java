/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import org.jspecify.annotations.Nullable;

/** Whether a call is counted at all. */
public final class ConditionExpression {

    private static final @Nullable Object[] NO_ARGUMENTS = {};

    private final Operand operand;
    private final Site site;

    ConditionExpression(Operand operand, Site site) {
        this.operand = operand;
        this.site = site;
    }

    /**
     * Whether this call is counted.
     *
     * @throws IllegalArgumentException when the value is neither true nor false
     */
    public boolean holds(Invocation invocation) {
        return truth(operand.of(invocation.arguments(), invocation.caller()));
    }

    /** Whether a request is counted, for an expression that is not written on a method. */
    public boolean holds(Caller caller) {
        return truth(operand.of(NO_ARGUMENTS, caller));
    }

    private boolean truth(@Nullable Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw site.unusable(
                "is %s instead of true or false"
                        .formatted(
                                value == null ? "null" : "a " + value.getClass().getName()),
                null);
    }

    /** Whether every call is counted: the expression is empty or simply true. */
    public boolean isAlwaysTrue() {
        return operand instanceof Operand.Constant constant && Boolean.TRUE.equals(constant.value());
    }

    /** What is written, placeholders resolved. */
    public String source() {
        return site.source();
    }
}
