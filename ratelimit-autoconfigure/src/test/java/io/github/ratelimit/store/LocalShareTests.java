/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Eventually;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Numbers come and go, as they follow the load, or somebody makes them up: what is remembered of them is bounded. */
class LocalShareTests {

    private static final int MANY = 3 * LocalShare.MOST_LIMITS;

    private final LocalShare share = new LocalShare(0.5);

    private static Limit limit(long permits) {
        return Limit.named("limit")
                .algorithm(Algorithm.TOKEN_BUCKET)
                .permits(permits)
                .period(Duration.ofSeconds(1))
                .build();
    }

    private void makeMany() {
        for (int i = 0; i < MANY; i++) {
            share.of(limit(1_000 + i));
        }
    }

    @Test
    void numbersOfWhichNobodyHoldsAnythingAreForgotten() {
        makeMany();
        assertThat(share.known()).isLessThanOrEqualTo(LocalShare.MOST_LIMITS);
        Eventually.until("nobody holds the others", Duration.ofSeconds(30), () -> {
            System.gc();
            makeMany();
            return share.made() <= 2 * LocalShare.MOST_LIMITS;
        });
    }

    /** Else what a local hold gives back would go to the shared store, which was never charged for it. */
    @Test
    void whatIsHeldIsStillKnown() {
        Limit held = share.of(limit(10));
        makeMany();
        System.gc();
        makeMany();
        assertThat(share.isMade(held)).isTrue();
        assertThat(share.of(limit(10))).as("the same again").isSameAs(held);
        assertThat(share.of(held)).as("no share of a share").isSameAs(held);
        assertThat(share.isMade(limit(5))).as("one like it").isFalse();
    }
}
