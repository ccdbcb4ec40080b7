/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/** An expression that cannot work was written in an annotation or a rule. Found at start; names place, value and remedy. */
public final class InvalidExpressionException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String place;
    private final String attribute;
    private final String expression;
    private final String problem;
    private final String remedy;

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
        super("%s: %s = \"%s\" %s. %s".formatted(place, attribute, expression, problem, remedy), cause);
        this.place = place;
        this.attribute = attribute;
        this.expression = expression;
        this.problem = problem;
        this.remedy = remedy;
    }

    /** Class and method, or the property that holds the rule. */
    public String place() {
        return place;
    }

    /** The attribute at fault. */
    public String attribute() {
        return attribute;
    }

    /** What is written there. */
    public String expression() {
        return expression;
    }

    /** What is wrong with it, as the rest of a sentence. */
    public String problem() {
        return problem;
    }

    /** What to write instead. */
    public String remedy() {
        return remedy;
    }
}
