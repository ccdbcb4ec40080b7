/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import org.jspecify.annotations.Nullable;

/** A value that depends on the call: what an expression, or a part of one, became at start. */
interface Operand {

    /**
     * The value for one call.
     *
     * @param arguments what the method is called with
     * @param caller who sent the request, where that is known
     */
    @Nullable
    Object of(@Nullable Object[] arguments, @Nullable Caller caller);

    /** The type every value has; {@code Object} when that is not known at start. */
    Class<?> type();

    /** A value that never changes. */
    record Constant(@Nullable Object value) implements Operand {

        @Override
        public @Nullable Object of(@Nullable Object[] arguments, @Nullable Caller caller) {
            return value;
        }

        @Override
        public Class<?> type() {
            return value == null ? Object.class : value.getClass();
        }
    }

    /** An argument, by its place. */
    record Argument(int index, Class<?> type) implements Operand {

        @Override
        public @Nullable Object of(@Nullable Object[] arguments, @Nullable Caller caller) {
            return arguments[index];
        }
    }
}
