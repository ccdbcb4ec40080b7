/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GivingBackTests {

    private static final long SECOND = 1_000_000;
    private static final Limit LIMIT = Kind.TOKEN_BUCKET
            .named("a")
            .permits(10)
            .period(Duration.ofSeconds(10))
            .build();
    private static final Limit MADE =
            LIMIT.with().permits(5).period(Duration.ofSeconds(5)).build();

    private static Allowed told(Limit limit, long resetAfterMicros, long delayMicros) {
        return new Allowed(limit, 5, resetAfterMicros, delayMicros);
    }

    private static Decision together(Decision... parts) {
        return Decision.together(List.of(parts));
    }

    @Test
    void everyKeyOfOneLimitHasItsOwnAnswer() {
        List<Charge> charges = List.of(Charge.of(LIMIT, "waits", 1), Charge.of(LIMIT, "now", 2));
        Decision decision = together(told(LIMIT, 11 * SECOND, SECOND), told(MADE, 2 * SECOND, 0));

        assertThat(GivingBack.refunded(charges, decision, 0)).containsExactly(Charge.of(MADE, "now", 2));
    }

    @Test
    void chargesOfOneCounterAreOne() {
        List<Charge> charges =
                List.of(Charge.of(LIMIT, "one", 1), Charge.of(LIMIT, "one", 2), Charge.of(LIMIT, "two", 4));
        Decision decision = together(told(LIMIT, 3 * SECOND, 0), told(MADE, 4 * SECOND, 0));

        assertThat(GivingBack.refunded(charges, decision, 0))
                .containsExactly(Charge.of(LIMIT, "one", 3), Charge.of(MADE, "two", 4));
    }

    @Test
    void whatTimeHasRepaidIsNotRefunded() {
        List<Charge> charges = List.of(Charge.of(LIMIT, "one", 4));
        Decision decision = told(LIMIT, 5 * SECOND, 0);

        assertThat(GivingBack.refunded(charges, decision, SECOND - 1)).containsExactly(Charge.of(LIMIT, "one", 4));
        assertThat(GivingBack.refunded(charges, decision, SECOND)).containsExactly(Charge.of(LIMIT, "one", 3));
        assertThat(GivingBack.refunded(charges, decision, 3 * SECOND)).containsExactly(Charge.of(LIMIT, "one", 1));
        assertThat(GivingBack.refunded(charges, decision, 4 * SECOND)).isEmpty();
        assertThat(GivingBack.refunded(charges, decision, 60 * SECOND)).isEmpty();
    }

    @Test
    void whatTheTicksHaveRepaidIsNotRefunded() {
        Limit limit = Kind.TOKEN_BUCKET_INTERVAL
                .named("a")
                .permits(2)
                .period(Duration.ofSeconds(1))
                .burst(10L)
                .build();
        List<Charge> charges = List.of(Charge.of(limit, "one", 5));
        Decision decision = told(limit, 2_700_000, 0);

        assertThat(GivingBack.refunded(charges, decision, 699_999)).containsExactly(Charge.of(limit, "one", 5));
        assertThat(GivingBack.refunded(charges, decision, 700_000)).containsExactly(Charge.of(limit, "one", 3));
        assertThat(GivingBack.refunded(charges, decision, 1_700_000)).containsExactly(Charge.of(limit, "one", 1));
        assertThat(GivingBack.refunded(charges, decision, 2_700_000)).isEmpty();
    }

    @Test
    void whatNobodyCountedIsNotRefunded() {
        List<Charge> charges = List.of(Charge.of(LIMIT, "one", 1), Charge.of(LIMIT, "two", 1));

        assertThat(GivingBack.refunded(charges, together(new Uncounted("a", null), told(LIMIT, SECOND, 0)), 0))
                .containsExactly(Charge.of(LIMIT, "two", 1));
        assertThat(GivingBack.refunded(charges, told(LIMIT, SECOND, 0), 0)).isEmpty();
        assertThat(GivingBack.refunded(charges, new Uncounted("a", null), 0)).isEmpty();
    }
}
