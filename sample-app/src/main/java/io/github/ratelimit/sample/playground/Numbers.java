/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.playground;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The numbers that a visitor chooses, within bounds that keep a run small.
 *
 * @param permits how many permits there are per period
 * @param periodMillis the period in milliseconds
 * @param burst what buckets hold
 * @param slots into how many parts the sliding window counter divides the period
 */
record Numbers(int permits, int periodMillis, int burst, int slots) {

    private static final int MOST_PERMITS = 50;
    private static final int SHORTEST_MILLIS = 500;
    private static final int LONGEST_MILLIS = 5_000;
    private static final int MOST_SLOTS = 20;
    private static final int MOST_PER_SECOND = 20;

    /**
     * Checks the bounds.
     *
     * @throws NotPlayableException saying which number is not accepted, and which would be
     */
    Numbers {
        within("permits", permits, 1, MOST_PERMITS);
        within("period", periodMillis, SHORTEST_MILLIS, LONGEST_MILLIS);
        within("burst", burst, 1, MOST_PERMITS);
        within("slots", slots, 1, MOST_SLOTS);
        if (permits * 1_000 > MOST_PER_SECOND * periodMillis) {
            throw new NotPlayableException(
                    "The playground plays up to %d permits a second: take at most %d permits, or a longer period."
                            .formatted(MOST_PER_SECOND, MOST_PER_SECOND * periodMillis / 1_000));
        }
    }

    /** One limit per algorithm, in the order of {@link Algorithm}, all with these numbers. */
    List<Limit> limits() {
        return Arrays.stream(Algorithm.values()).map(this::limit).toList();
    }

    /** The name of an algorithm's limit. */
    static String nameOf(Algorithm algorithm) {
        return "playground-" + algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private Limit limit(Algorithm algorithm) {
        LimitBuilder limit = Limit.named(nameOf(algorithm))
                .algorithm(algorithm)
                .permits(permits)
                .period(Duration.ofMillis(periodMillis));
        if (algorithm.isBucket()) {
            limit.burst((long) burst);
        } else if (algorithm == Algorithm.SLIDING_WINDOW_COUNTER) {
            limit.slots(slots);
        }
        return limit.build();
    }

    private static void within(String name, int number, int least, int most) {
        if (number < least || number > most) {
            throw new NotPlayableException("%s = %d: from %d to %d.".formatted(name, number, least, most));
        }
    }
}
