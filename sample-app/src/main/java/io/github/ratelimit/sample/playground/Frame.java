/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.playground;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happened since the frame before.
 *
 * @param at when it ends, in milliseconds since the run began
 * @param calls how many calls came
 * @param edges edges of the clock's windows, in milliseconds since the run began
 * @param lanes one per algorithm
 */
record Frame(long at, int calls, List<Long> edges, List<Lane> lanes) {

    /**
     * What one limit said.
     *
     * @param went when allowed calls go ahead, in milliseconds since the run began
     * @param denied how many calls were denied
     * @param used how much of the bucket or window is in use
     * @param status the status of the last answer; 0: no call came
     * @param headers the headers of the last answer
     */
    record Lane(List<Long> went, int denied, long used, int status, Map<String, String> headers) {}

    /**
     * The first event of a run.
     *
     * @param lanes the limits
     * @param lastsMillis how long the traffic lasts
     */
    record Start(List<Name> lanes, long lastsMillis) {}

    /**
     * A limit of a run.
     *
     * @param limit its name, as the metrics have it
     * @param capacity what it holds
     */
    record Name(String limit, long capacity) {}

    /**
     * The last event of a run.
     *
     * @param failure why it ended early, if it did
     */
    record End(@Nullable String failure) {}
}
