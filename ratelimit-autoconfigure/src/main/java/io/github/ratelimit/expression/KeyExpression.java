/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import org.jspecify.annotations.Nullable;

/** Who a call is counted for. */
public final class KeyExpression {

    private static final @Nullable Object[] NO_ARGUMENTS = {};

    private final Operand operand;
    private final Site site;
    private final @Nullable String constant;

    KeyExpression(Operand operand, Site site, @Nullable String constant) {
        this.operand = operand;
        this.site = site;
        this.constant = constant;
    }

    /**
     * The key of one call: the text of the expression's value. Empty only for the expression that is empty, one counter
     * for everyone.
     *
     * @throws io.github.ratelimit.InvalidRateLimitKeyException when the value is null, blank, or has no text of its own
     */
    public String keyOf(Invocation invocation) {
        return constant != null ? constant : keyOf(invocation.arguments(), invocation.caller());
    }

    /** The key of a request, for an expression that is not written on a method. */
    public String keyOf(Caller caller) {
        return constant != null ? constant : keyOf(NO_ARGUMENTS, caller);
    }

    private String keyOf(@Nullable Object[] arguments, @Nullable Caller caller) {
        return KeyText.of(operand.of(arguments, caller), site);
    }

    /** The key, if it is the same for every call. */
    public @Nullable String constant() {
        return constant;
    }

    /** What is written, placeholders resolved. */
    public String source() {
        return site.source();
    }
}
