/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testkit.Kind;
import java.util.List;

/** What an algorithm promises about the instants of its grants, one permit each, in the order of time. */
interface Law {

    void check(List<Long> instants, long permits, long period);

    static Law of(Kind kind) {
        return switch (kind) {
            case TOKEN_BUCKET, LEAKY_BUCKET_METER -> Law::burstAndRate;
            case TOKEN_BUCKET_INTERVAL -> Law::burstAndTicks;
            case LEAKY_BUCKET -> Law::apart;
            case FIXED_WINDOW -> Law::inWindowsOfTheClock;
            case FIXED_WINDOW_FIRST_CALL -> Law::inWindowsOpenedByGrants;
            case SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER -> Law::inAnyPeriod;
            case SLIDING_WINDOW_COUNTER_WEIGHTED -> Law::twiceInAnyPeriod;
        };
    }

    private static void burstAndRate(List<Long> instants, long permits, long period) {
        for (int from = 0; from < instants.size(); from++) {
            for (int to = from; to < instants.size(); to++) {
                long refilled = (instants.get(to) - instants.get(from)) * permits;
                assertThat((to - from + 1 - permits) * period).isLessThanOrEqualTo(refilled);
            }
        }
    }

    private static void burstAndTicks(List<Long> instants, long permits, long period) {
        for (int from = 0; from < instants.size(); from++) {
            for (int to = from; to < instants.size(); to++) {
                long ticks = instants.get(to) / period - instants.get(from) / period;
                assertThat(to - from + 1L).isLessThanOrEqualTo(permits + permits * ticks);
            }
        }
    }

    private static void apart(List<Long> instants, long permits, long period) {
        for (int i = 1; i < instants.size(); i++) {
            assertThat((instants.get(i) - instants.get(i - 1)) * permits).isGreaterThanOrEqualTo(period);
        }
    }

    private static void inWindowsOfTheClock(List<Long> instants, long permits, long period) {
        for (int i = 0; i + permits < instants.size(); i++) {
            assertThat(instants.get(i + (int) permits) / period).isGreaterThan(instants.get(i) / period);
        }
    }

    private static void inWindowsOpenedByGrants(List<Long> instants, long permits, long period) {
        long opened = Long.MIN_VALUE / 2;
        long granted = 0;
        for (long instant : instants) {
            if (instant >= opened + period) {
                opened = instant;
                granted = 0;
            }
            granted++;
            assertThat(granted).isLessThanOrEqualTo(permits);
        }
    }

    private static void inAnyPeriod(List<Long> instants, long permits, long period) {
        for (int i = 0; i + permits < instants.size(); i++) {
            assertThat(instants.get(i + (int) permits) - instants.get(i)).isGreaterThanOrEqualTo(period);
        }
    }

    private static void twiceInAnyPeriod(List<Long> instants, long permits, long period) {
        inAnyPeriod(instants, 2 * permits, period);
    }
}
