/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;

/**
 * What a bucket that refills at the ticks of the clock answers at a given deficit.
 *
 * <p><b>Model.</b> The clock ticks at whole multiples of the period, and every tick brings {@code permits}. The deficit is
 * how many permits were missing from a full bucket right after the last tick; between ticks only calls change it.
 *
 * <p><b>Example.</b> 4 per second, burst 10. All 10 are taken at 0 s: deficit 10, full again after ceil(10 / 4) = 3
 * ticks. A call of 9 at 0.3 s lacks 9 permits and needs ceil(9 / 4) = 3 ticks: it is granted 2.7 s later.
 *
 * <p><b>Bounds.</b> The deficit is at most burst + permits * (ticks in an hour + 2), below 10^9 * 3.6 * 10^6; an instant
 * of refilling is at most 10^6 ticks of 31 days from now.
 */
final class Interval {

    private Interval() {}

    static long remaining(Limit limit, long deficit) {
        return Math.max(0, limit.burst() - deficit);
    }

    static long resetAfter(Limit limit, long deficit, long sinceTick) {
        return untilRefilled(limit, deficit, sinceTick);
    }

    /** How long a charge has to wait that left this deficit behind. */
    static long waitMicros(Limit limit, long deficitAfter, long sinceTick) {
        return untilRefilled(limit, deficitAfter - limit.burst(), sinceTick);
    }

    /** How many permits the tick that fills the bucket brings too many. */
    static long slack(Limit limit, long deficit) {
        return Whole.ceil(deficit, limit.permits()) * limit.permits() - deficit;
    }

    private static long untilRefilled(Limit limit, long permits, long sinceTick) {
        return permits <= 0 ? 0 : Whole.ceil(permits, limit.permits()) * limit.periodMicros() - sinceTick;
    }
}
