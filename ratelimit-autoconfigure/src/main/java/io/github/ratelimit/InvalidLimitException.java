/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** A limit was given a number or an option it cannot work with. Names the value and what would be accepted. */
public final class InvalidLimitException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String attribute;
    private final String remedy;

    InvalidLimitException(String limit, String attribute, Object value, String problem, String remedy) {
        super("Limit '%s': %s = %s %s. %s".formatted(limit, attribute, value, problem, remedy));
        this.attribute = attribute;
        this.remedy = remedy;
    }

    /** The attribute at fault, as it is written in {@code application.yml}. */
    public String attribute() {
        return attribute;
    }

    /** What to write instead. */
    public String remedy() {
        return remedy;
    }
}
