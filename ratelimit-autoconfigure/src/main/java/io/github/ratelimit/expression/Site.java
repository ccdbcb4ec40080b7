/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import io.github.ratelimit.InvalidExpressionException;
import io.github.ratelimit.InvalidRateLimitKeyException;
import org.jspecify.annotations.Nullable;

/**
 * Where an expression is written: the words of every complaint about it. Never told a value of a call.
 *
 * @param place class and method, or the property of a rule
 * @param attribute the attribute, as in the annotation
 * @param source the expression, placeholders resolved
 */
record Site(String place, Attribute attribute, String source) {

    /** The attributes that hold expressions. */
    enum Attribute {
        KEY,
        COST,
        CONDITION,
        PLAN;

        private final String text = name().toLowerCase(java.util.Locale.ROOT);

        @Override
        public String toString() {
            return text;
        }
    }

    /** A mistake that stops the start. */
    InvalidExpressionException mistake(String problem, String remedy) {
        return mistake(problem, remedy, null);
    }

    /** A mistake that stops the start, found by somebody else. */
    InvalidExpressionException mistake(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidExpressionException(place, attribute.toString(), source, problem, remedy, cause);
    }

    /** This call gives no key. */
    InvalidRateLimitKeyException noKey(String problem) {
        return new InvalidRateLimitKeyException(
                "%s: %s = \"%s\" %s. A call without a key is refused: counted for nobody it would pass unlimited."
                        .formatted(place, attribute, source, problem));
    }

    /** The expression came upon nothing, where it needed something. */
    RuntimeException nothingThere(String problem) {
        return attribute == Attribute.KEY ? noKey(problem) : unusable(problem, null);
    }

    /** This call gives no usable value. */
    IllegalArgumentException unusable(String problem, @Nullable Throwable cause) {
        return new IllegalArgumentException("%s: %s = \"%s\" %s.".formatted(place, attribute, source, problem), cause);
    }
}
