/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
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

    /** A charge of so many permits that waits as long as the step says, else as the queue's callers do, else not. */
    Charge charge(Step step, long permits, long otherwise) {
        return new Charge(limit, step.key(), permits, wait(step, otherwise));
    }

    private long wait(Step step, long otherwise) {
        return step.maxWait(isQueue() ? queueWait : otherwise);
    }

    /** Names a wait that is longer than the library lets anybody wait, where it made a difference. */
    void checkPatience(Step step, long otherwise, Decision decision) {
        if (wait(step, otherwise) > Charge.LONGEST_WAIT_MICROS
                && decision instanceof Denied denied
                && denied.reason() == DenialReason.WAIT_TOO_LONG) {
            throw new Unsupported("a wait beyond " + Charge.LONGEST_WAIT_MICROS + " µs");
        }
    }
}
