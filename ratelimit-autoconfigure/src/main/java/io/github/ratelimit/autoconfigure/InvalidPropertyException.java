/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import org.jspecify.annotations.Nullable;

/** A property has a value it cannot have. Stops the start. */
final class InvalidPropertyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String property;
    private final @Nullable String value;
    private final String problem;
    private final String remedy;

    InvalidPropertyException(String property, @Nullable Object value, String problem, String remedy) {
        super("%s%s %s. %s".formatted(property, isNothing(value) ? "" : " = " + value, problem, remedy));
        this.property = property;
        this.value = isNothing(value) ? null : String.valueOf(value);
        this.problem = problem;
        this.remedy = remedy;
    }

    private static boolean isNothing(@Nullable Object value) {
        return value == null || value.toString().isEmpty();
    }

    String property() {
        return property;
    }

    @Nullable
    String value() {
        return value;
    }

    String problem() {
        return problem;
    }

    String remedy() {
        return remedy;
    }
}
