/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/** A limit was given a number or an option it cannot work with. Names the value and what would be accepted. */
public final class InvalidLimitException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String limit;
    private final String attribute;
    private final String value;
    private final String problem;
    private final String remedy;
    private final @Nullable String place;

    /** An exception where it is not known yet who stated the value. */
    public InvalidLimitException(String limit, String attribute, Object value, String problem, String remedy) {
        this(limit, attribute, value.toString(), problem, remedy, null);
    }

    private InvalidLimitException(
            String limit, String attribute, String value, String problem, String remedy, @Nullable String place) {
        super("Limit '%s': %s = %s %s. %s".formatted(limit, attribute, value, problem, remedy)
                + (place == null ? "" : " Stated in " + place + "."));
        this.limit = limit;
        this.attribute = attribute;
        this.value = value;
        this.problem = problem;
        this.remedy = remedy;
        this.place = place;
    }

    /** The same mistake, and who made it: a property, or a class and method. */
    public InvalidLimitException statedIn(String place) {
        InvalidLimitException placed = new InvalidLimitException(limit, attribute, value, problem, remedy, place);
        placed.setStackTrace(getStackTrace());
        return placed;
    }

    /** The limit's name. */
    public String limit() {
        return limit;
    }

    /** The attribute at fault, as it is written in {@code application.yml}. */
    public String attribute() {
        return attribute;
    }

    /** The value at fault. */
    public String value() {
        return value;
    }

    /** What is wrong with it. */
    public String problem() {
        return problem;
    }

    /** What to write instead. */
    public String remedy() {
        return remedy;
    }

    /** The property, or the class and method, that states the value; {@code null} where that is not known. */
    public @Nullable String place() {
        return place;
    }
}
