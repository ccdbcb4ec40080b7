/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** Why a call was denied. */
public enum DenialReason {
    /** The permits of this period are taken. */
    PERMITS_SPENT,
    /** The call asks for more than the limit can ever hold: waiting does not help. */
    COST_EXCEEDS_CAPACITY,
    /** The key is serving a penalty, or this very denial has started one. */
    PENALTY,
    /** The permits would come, but later than the caller is willing to wait. */
    WAIT_TOO_LONG,
    /** As many threads wait already as may wait at once. */
    TOO_MANY_WAITING,
    /**
     * The store cannot answer, and the limit's failure policy is {@link FailurePolicy#DENY}, or it is {@link FailurePolicy#LOCAL}
     * and the call takes more than this instance's share can hold.
     */
    STORE_UNAVAILABLE
}
