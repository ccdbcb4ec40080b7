/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;

/** What comes next in the course of a call. */
sealed interface Step {

    /** The call is decided; where it is allowed with a delay, that remains to be served. */
    record Settled(Decision decision) implements Step {}

    /** Nothing is charged; the store is worth asking again, not before this time has passed. */
    record Pause(long micros, Decision.Denied soFar) implements Step {}

    /** The call is denied, and the store is to be asked at once in a way that lets the denial start its penalty. */
    record Insist() implements Step {}
}
