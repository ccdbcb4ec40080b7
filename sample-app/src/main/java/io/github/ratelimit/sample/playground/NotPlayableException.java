/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.playground;

/** What a visitor asks for is not played; the message says what would be. */
final class NotPlayableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    NotPlayableException(String message) {
        super(message);
    }
}
