/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.parity;

import java.util.List;
import java.util.SplittableRandom;

/** Random choices that reach the ends as well as the middle. */
final class Dice {

    private final SplittableRandom random;

    Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** True so many times in a hundred. */
    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Up to this, from 1, every order of magnitude as likely as the next. */
    long upTo(long most) {
        double magnitude = random.nextDouble() * Math.log(most + 1d);
        return Math.max(1, Math.min(most, (long) Math.exp(magnitude)));
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
