/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** What happens to a call when the store cannot answer. */
public enum FailurePolicy {
    /** Counted in this JVM until the store is back; what only more than its share can hold is denied as with {@link #DENY}. */
    LOCAL,
    /** Passes uncounted. */
    ALLOW,
    /** Denied with {@link DenialReason#STORE_UNAVAILABLE}; a cost of 0 passes uncounted. */
    DENY
}
