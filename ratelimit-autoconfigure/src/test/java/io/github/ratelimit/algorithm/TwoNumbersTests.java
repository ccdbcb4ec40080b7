/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Mixture;
import io.github.ratelimit.testkit.Switch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A key that is counted by two or three sets of numbers at a time, as while instances are restarted one after the other. */
class TwoNumbersTests {

    private static final long NOW = 1_760_000_000_123_456L;
    private static final int PAIRS = 2_000;
    private static final int MIXTURES = 400;
    private static final int CALLS = 5_000;

    @ParameterizedTest
    @EnumSource
    void togetherNoMoreThanTheLargerNumbersAllow(Kind kind) {
        for (long seed = 0; seed < PAIRS; seed++) {
            Switch pair = Switch.of(kind, "orders", seed);
            Usage usage = Usage.unused(kind.named("orders").permits(1).build());
            assertThatNoException()
                    .as("seed %d: %s", seed, pair)
                    .isThrownBy(() -> pair.play(NOW, (at, numbers, cost) -> decide(usage, at, kind, numbers, cost)));
        }
    }

    /** Of every second mixture two sets of numbers share a mark. */
    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    void threeTogetherNoMoreThanTheTimeAllows(Kind kind) {
        for (long seed = 0; seed < MIXTURES; seed++) {
            Mixture mixture = Mixture.of(kind, "orders", seed);
            Usage usage = Usage.unused(kind.named("orders").permits(1).build());
            assertThatNoException()
                    .as("seed %d: %s", seed, mixture)
                    .isThrownBy(() ->
                            mixture.play(NOW, CALLS, (at, numbers, cost) -> decide(usage, at, kind, numbers, cost)));
        }
    }

    private static boolean decide(Usage usage, long at, Kind kind, Limit numbers, long cost) {
        usage.look(numbers, at);
        long wait = kind.charge(numbers, "key", cost).maxWaitMicros();
        boolean granted = usage.grants(cost, wait);
        if (granted) {
            usage.charge(cost, wait);
        } else {
            usage.deny(cost, wait);
        }
        usage.keep();
        return granted;
    }
}
