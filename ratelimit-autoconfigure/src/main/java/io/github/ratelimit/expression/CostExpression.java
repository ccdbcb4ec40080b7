/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** How many permits a call takes. */
public final class CostExpression {

    private final Operand operand;
    private final Site site;
    private final OptionalLong constant;

    CostExpression(Operand operand, Site site, OptionalLong constant) {
        this.operand = operand;
        this.site = site;
        this.constant = constant;
    }

    /**
     * The cost of one call.
     *
     * @throws IllegalArgumentException when the value is no whole number of at least 0
     */
    public long costOf(Invocation invocation) {
        if (constant.isPresent()) {
            return constant.getAsLong();
        }
        Object value = operand.of(invocation.arguments(), invocation.caller());
        if (value instanceof Integer number && number >= 0) {
            return number;
        }
        String problem = CostValue.problem(value);
        if (problem != null) {
            throw site.unusable(problem, null);
        }
        return exact(value);
    }

    static long exact(@Nullable Object value) {
        return value instanceof Number number ? CostValue.exact(number) : 0;
    }

    /** The cost, if it is the same for every call. */
    public OptionalLong constant() {
        return constant;
    }

    /** What is written, placeholders resolved. */
    public String source() {
        return site.source();
    }
}
