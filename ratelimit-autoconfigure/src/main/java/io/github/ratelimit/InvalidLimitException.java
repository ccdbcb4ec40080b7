/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/** A limit was given a number or an option it cannot work with. Names the value and what would be accepted. */
public final class InvalidLimitException extends InvalidSettingException {

    private static final long serialVersionUID = 1L;

    private final String limit;
    private final @Nullable String place;

    /** An exception where it is not known yet who stated the value. */
    public InvalidLimitException(String limit, String attribute, Object value, String problem, String remedy) {
        this(limit, attribute, value.toString(), problem, remedy, null);
    }

    private InvalidLimitException(
            String limit, String attribute, String value, String problem, String remedy, @Nullable String place) {
        super(
                "Limit '%s': %s = %s %s. %s".formatted(limit, attribute, value, problem, remedy)
                        + (place == null ? "" : " Stated in " + place + "."),
                attribute,
                value,
                problem,
                remedy,
                null);
        this.limit = limit;
        this.place = place;
    }

    /** The same mistake, and who made it: a property, or a class and method. */
    public InvalidLimitException statedIn(String place) {
        InvalidLimitException placed =
                new InvalidLimitException(limit, attribute(), value(), problem(), remedy(), place);
        placed.setStackTrace(getStackTrace());
        return placed;
    }

    /** The limit's name. */
    public String limit() {
        return limit;
    }

    /** The property, or the class and method, that states the value; {@code null} where that is not known. */
    public @Nullable String place() {
        return place;
    }
}
