/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Reads a number of permits from what an expression gave. */
final class CostValue {

    private CostValue() {}

    /** What is wrong with a value as a cost; null when nothing is. */
    static @Nullable String problem(@Nullable Object value) {
        if (value == null) {
            return "is null instead of a number of permits";
        }
        if (!(value instanceof Number number)) {
            return "is a %s instead of a number of permits"
                    .formatted(value.getClass().getName());
        }
        try {
            return exact(number) < 0 ? "is negative: a call takes 0 permits or more" : null;
        } catch (ArithmeticException e) {
            return "is not a whole number of permits, or too large for one";
        }
    }

    /** The cost, if nothing is wrong with it. */
    static long exact(Number number) {
        if (number instanceof Integer || number instanceof Long || number instanceof Short || number instanceof Byte) {
            return number.longValue();
        }
        if (number instanceof BigInteger integer) {
            return integer.longValueExact();
        }
        if (number instanceof BigDecimal decimal) {
            return decimal.longValueExact();
        }
        long whole = number.longValue();
        if (whole != number.doubleValue() || whole == Long.MAX_VALUE) {
            throw new ArithmeticException();
        }
        return whole;
    }

    /** Whether values of a type can be numbers. */
    static boolean mayBe(Class<?> type) {
        return type.isPrimitive()
                ? type != boolean.class && type != char.class && type != void.class
                : Number.class.isAssignableFrom(type) || !Members.showsAll(type);
    }
}
