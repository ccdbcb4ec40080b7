/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

/** A sequence asks for something the library or this runner does not have; says what. */
final class Unsupported extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Unsupported(String what) {
        super(what);
    }
}
