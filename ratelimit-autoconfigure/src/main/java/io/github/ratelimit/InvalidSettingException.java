/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/** Something was stated that cannot work: which attribute, what it says, what is wrong with it, and the remedy. */
public abstract class InvalidSettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String attribute;
    private final String value;
    private final String problem;
    private final String remedy;

    InvalidSettingException(
            String message, String attribute, String value, String problem, String remedy, @Nullable Throwable cause) {
        super(message, cause);
        this.attribute = attribute;
        this.value = value;
        this.problem = problem;
        this.remedy = remedy;
    }

    /** The attribute at fault, as it is written where it was stated. */
    public String attribute() {
        return attribute;
    }

    /** What is written there. */
    public String value() {
        return value;
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
