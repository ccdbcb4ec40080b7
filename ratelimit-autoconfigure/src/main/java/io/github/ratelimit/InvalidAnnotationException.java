/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** A {@code @RateLimited} that cannot work as it is written. Found at start; names place, attribute, value and remedy. */
public final class InvalidAnnotationException extends InvalidSettingException {

    private static final long serialVersionUID = 1L;

    private final String place;

    /**
     * An exception whose message is made of its parts.
     *
     * @param place class and method
     * @param attribute the attribute at fault, or {@code @RateLimited} for the annotation as a whole
     * @param value what is written there
     * @param problem what is wrong with it, as the rest of a sentence
     * @param remedy what to write instead
     */
    public InvalidAnnotationException(String place, String attribute, String value, String problem, String remedy) {
        super(
                "%s: %s = \"%s\" %s. %s".formatted(place, attribute, value, problem, remedy),
                attribute,
                value,
                problem,
                remedy,
                null);
        this.place = place;
    }

    /** Class and method. */
    public String place() {
        return place;
    }
}
