/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

/** Limits are switched on, and nothing stands before the methods that have them. */
final class MissingGateException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    MissingGateException() {
        super("ratelimit.enabled = true, and the application has no gate before its methods");
    }
}
