/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.parity;

import io.github.ratelimit.Charge;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One call of a history, written down so that it can be made again.
 *
 * @param at the time, in microseconds
 * @param op what is done
 * @param charges what it is done with; one for all but {@code ACQUIRE}, {@code RESERVE}, {@code PEEK} and {@code REFUND}; of
 *     {@code IN_TURN} one per call
 * @param number how long a lock is, in microseconds; which step's reservation is cancelled
 */
record Step(long at, Op op, List<Charge> charges, long number) {

    enum Op {
        ACQUIRE,
        IN_TURN,
        RESERVE,
        PEEK,
        UP_TO,
        CANCEL,
        GIVE_UP,
        REFUND,
        RESET,
        LOCK
    }

    @Override
    public String toString() {
        return at + " " + op + " " + number + " "
                + charges.stream().map(Step::tell).collect(Collectors.toList());
    }

    private static String tell(Charge charge) {
        var limit = charge.limit();
        return "%s=%s %d/%dms burst %d penalty %dms%s key %s cost %d wait %d"
                .formatted(
                        limit.name(),
                        limit.shape(),
                        limit.permits(),
                        limit.period().toMillis(),
                        limit.burst(),
                        limit.penalty().toMillis(),
                        (limit.shadow() ? " shadow" : "") + (limit.paced() ? " paced" : ""),
                        charge.key(),
                        charge.cost(),
                        charge.maxWaitMicros());
    }
}
