/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

/** What became of one charge of a call. */
public enum Outcome {
    /** Granted; the numbers are those after the charge. */
    CHARGED,
    /** This limit grants, but another one denied the call; the numbers are those of the uncharged counter. */
    SPARED,
    /** This limit denied; the counter is unchanged, though a penalty may have started. */
    DENIED
}
