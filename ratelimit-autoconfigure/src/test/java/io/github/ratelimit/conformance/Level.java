/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;

/**
 * One limit of a sequence.
 *
 * @param limit the limit
 * @param queueWait how long every call may wait, where the limit is a queue; else {@link #NO_QUEUE}
 * @param alignMicros shifting time by multiples of this changes nothing
 * @param start the state it starts in
 */
record Level(Limit limit, long queueWait, long alignMicros, StartingState start) {

    static final long NO_QUEUE = -1;

    boolean isQueue() {
        return queueWait != NO_QUEUE;
    }

    /** A charge that waits as long as the step says, else as the queue's callers do, else not. */
    Charge charge(Step step, long otherwise) {
        return new Charge(limit, step.key(), step.permits(), step.maxWait(isQueue() ? queueWait : otherwise));
    }
}
