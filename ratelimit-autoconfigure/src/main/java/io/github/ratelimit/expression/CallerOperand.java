/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import org.jspecify.annotations.Nullable;

/** {@code #caller}: the one that came with the call, else the one the present thread serves. */
record CallerOperand(CallerSource callers, Site site) implements Operand {

    @Override
    public Caller of(@Nullable Object[] arguments, @Nullable Caller caller) {
        if (caller != null) {
            return caller;
        }
        Caller current = callers.current();
        if (current == null) {
            throw site.noKey("asks for #caller, but this call serves no web request");
        }
        return current;
    }

    @Override
    public Class<?> type() {
        return Caller.class;
    }
}
