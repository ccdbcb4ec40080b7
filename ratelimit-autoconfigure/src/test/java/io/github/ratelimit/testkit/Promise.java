/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testkit;

import io.github.ratelimit.Limit;
import java.util.Comparator;
import java.util.List;

/** The column "never more than" of the contract: how much may depart in a stretch of time. */
@FunctionalInterface
public interface Promise {

    /** The most that may depart from one instant to another, both included. */
    double most(long from, long to);

    /** Checks departures, each an instant and a cost: every stretch from one to another. */
    default void check(List<long[]> departures) {
        List<long[]> sorted = departures.stream()
                .sorted(Comparator.comparingLong(departure -> departure[0]))
                .toList();
        for (int i = 0; i < sorted.size(); i++) {
            long sum = 0;
            for (int j = i; j < Math.min(sorted.size(), i + 200); j++) {
                sum += sorted.get(j)[1];
                double most = most(sorted.get(i)[0], sorted.get(j)[0]);
                if (sum > most + 1e-6) {
                    throw new AssertionError("%d departed from %d to %d, where %s may"
                            .formatted(sum, sorted.get(i)[0], sorted.get(j)[0], most));
                }
            }
        }
    }

    /** What a limit of this kind promises. */
    static Promise of(Kind kind, Limit limit) {
        long period = limit.periodMicros();
        double rate = (double) limit.permits() / period;
        return switch (kind) {
            // a departure is told in whole microseconds: the stretch may be one longer than it looks
            case TOKEN_BUCKET, LEAKY_BUCKET, LEAKY_BUCKET_METER -> (from, to) -> limit.burst() + rate * (to - from + 1);
            case TOKEN_BUCKET_INTERVAL ->
                // with waiting callers, a tick at the very beginning of the stretch brings permits of its own
                (from, to) -> limit.burst()
                        + (double) limit.permits() * (Math.floorDiv(to, period) - Math.floorDiv(from - 1, period));
            case FIXED_WINDOW ->
                (from, to) -> (double) limit.permits() * (Math.floorDiv(to, period) - Math.floorDiv(from, period) + 1);
            case FIXED_WINDOW_FIRST_CALL, SLIDING_WINDOW_COUNTER_WEIGHTED ->
                (from, to) -> (double) limit.permits() * ((to - from) / period + 2);
            case SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER ->
                (from, to) -> (double) limit.permits() * ((to - from) / period + 1);
        };
    }
}
