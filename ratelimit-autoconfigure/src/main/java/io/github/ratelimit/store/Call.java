/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.VirtualThreads;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A call with its one charge that may share a trip: the promise of its answer. */
final class Call extends CompletableFuture<Decision> {

    private final List<Charge> charges;
    private final long sinceNanos;
    private final boolean isOfVirtualThread = VirtualThreads.isCurrent();

    Call(List<Charge> charges, long sinceNanos) {
        this.charges = charges;
        this.sinceNanos = sinceNanos;
    }

    /** A list with the charge alone. */
    List<Charge> charges() {
        return charges;
    }

    Charge charge() {
        return charges.get(0);
    }

    /** When it came. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** When the oldest came: nearly always the first; who had to wait for the lane itself may have come before others in it. */
    static long oldest(List<Call> calls) {
        long oldest = calls.get(0).sinceNanos;
        for (Call call : calls) {
            oldest = call.sinceNanos - oldest < 0 ? call.sinceNanos : oldest;
        }
        return oldest;
    }

    boolean isOfVirtualThread() {
        return isOfVirtualThread;
    }
}
