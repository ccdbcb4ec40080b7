/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code {#tenant, #user}}: a list of operands, without asking SpEL to build it. */
record CompositeOperand(List<Operand> parts) implements Operand {

    @Override
    public List<@Nullable Object> of(@Nullable Object[] arguments, @Nullable Caller caller) {
        @Nullable Object[] values = new @Nullable Object[parts.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = parts.get(i).of(arguments, caller);
        }
        return Arrays.asList(values);
    }

    @Override
    public Class<?> type() {
        return List.class;
    }
}
