/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/** An expression that cannot work was written in an annotation or a rule. Found at start; names place, value and remedy. */
public final class InvalidExpressionException extends InvalidSettingException {

    private static final long serialVersionUID = 1L;

    private final String place;

    /**
     * An exception whose message is made of its parts.
     *
     * @param place class and method, or the property that holds the rule
     * @param attribute the attribute at fault, like {@code key}
     * @param expression what is written there
     * @param problem what is wrong with it, as the rest of a sentence
     * @param remedy what to write instead
     * @param cause what the parser said, if it was the parser
     */
    public InvalidExpressionException(
            String place,
            String attribute,
            String expression,
            String problem,
            String remedy,
            @Nullable Throwable cause) {
        super(
                "%s: %s = \"%s\" %s. %s".formatted(place, attribute, expression, problem, remedy),
                attribute,
                expression,
                problem,
                remedy,
                cause);
        this.place = place;
    }

    /** Class and method, or the property that holds the rule. */
    public String place() {
        return place;
    }
}
