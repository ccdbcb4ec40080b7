/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.playground;

import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Traffic: when calls come, in milliseconds since the run began. */
enum Pattern {
    /** Evenly, at nine tenths of what is allowed. */
    STEADY {
        @Override
        LongStream arrivals(Numbers numbers, long beganAtMillis) {
            return evenly(numbers, 0.9);
        }
    },
    /** Twice what is allowed at once, quiet for a period and a half, and again. */
    BURST {
        @Override
        LongStream arrivals(Numbers numbers, long beganAtMillis) {
            int calls = 2 * Math.max(numbers.permits(), numbers.burst());
            long pause = numbers.periodMillis() * 3L / 2;
            return LongStream.of(LEAD_MILLIS, LEAD_MILLIS + pause)
                    .flatMap(at -> IntStream.range(0, calls).mapToLong(call -> at));
        }
    },
    /** All that a period allows just before an edge of the clock's windows, and all of it again just after. */
    WINDOW_EDGE {
        @Override
        LongStream arrivals(Numbers numbers, long beganAtMillis) {
            long period = numbers.periodMillis();
            long apart = Math.min(period / 8, 200);
            long first = period - Math.floorMod(beganAtMillis, period);
            long edge = first < LEAD_MILLIS + apart ? first + period : first;
            return LongStream.of(edge - apart, edge + apart, edge + 2 * period - apart, edge + 2 * period + apart)
                    .flatMap(at -> IntStream.range(0, numbers.permits()).mapToLong(call -> at));
        }
    },
    /** Evenly, ten times what is allowed. */
    OVERLOAD {
        @Override
        LongStream arrivals(Numbers numbers, long beganAtMillis) {
            return evenly(numbers, 10);
        }
    };

    private static final int PERIODS = 3;
    private static final long LEAD_MILLIS = 100;

    /**
     * The calls of a run, in order.
     *
     * @param beganAtMillis when the run began, on the clock whose windows have edges
     */
    abstract LongStream arrivals(Numbers numbers, long beganAtMillis);

    private static LongStream evenly(Numbers numbers, double times) {
        double gap = numbers.periodMillis() / (numbers.permits() * times);
        long calls = Math.max(1, Math.round(PERIODS * numbers.periodMillis() / gap));
        return LongStream.range(0, calls).map(call -> LEAD_MILLIS + Math.round(call * gap));
    }
}
