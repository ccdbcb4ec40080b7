/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.expression.ConditionExpression;
import io.github.ratelimit.expression.CostExpression;
import io.github.ratelimit.expression.Invocation;
import io.github.ratelimit.expression.KeyExpression;
import io.github.ratelimit.expression.PlanExpression;
import io.github.ratelimit.limiter.Ask;
import org.jspecify.annotations.Nullable;

/**
 * One limit of a method: its name, and what is evaluated for each call.
 *
 * @param name the limit's name
 * @param key who is counted
 * @param cost how many permits
 * @param condition whether the call counts
 * @param plan whose numbers hold
 * @param fallback what is called instead of throwing, or {@code null}
 */
record MethodLimit(
        String name,
        KeyExpression key,
        CostExpression cost,
        ConditionExpression condition,
        PlanExpression plan,
        @Nullable Fallback fallback) {

    boolean appliesTo(Invocation invocation) {
        return condition.isAlwaysTrue() || condition.holds(invocation);
    }

    Ask ask(Invocation invocation) {
        return new Ask(name, planOf(invocation), key.keyOf(invocation), cost.costOf(invocation));
    }

    /** Who is counted, and what else its expressions say, as people are told. */
    String describe() {
        String who = key.source().isEmpty() ? "one counter for everyone" : "key " + key.source();
        String cost = this.cost.source().equals("1") ? "" : ", cost " + this.cost.source();
        String plan = this.plan.isEmpty() ? "" : ", plan " + this.plan.source();
        String when = condition.source().isEmpty() ? "" : ", if " + condition.source();
        return who + cost + plan + when;
    }

    /** The plan the call names, or {@code null}. */
    @Nullable
    String planOf(Invocation invocation) {
        return plan.isEmpty() ? null : plan.planOf(invocation);
    }
}
