/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

/** Another program has the port. */
final class PortTakenException extends Exception {

    private static final long serialVersionUID = 1L;

    PortTakenException(String message) {
        super(message);
    }

    PortTakenException(String message, Throwable cause) {
        super(message, cause);
    }
}
