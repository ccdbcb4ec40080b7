/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static io.github.ratelimit.limiter.Hall.bucket;
import static io.github.ratelimit.limiter.Hall.one;
import static io.github.ratelimit.limiter.Hall.paced;
import static io.github.ratelimit.limiter.Hall.window;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.UnknownLimitException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the door decides where nobody has to wait, and whom it tells. */
class DoorTests {

    private final Hall hall = new Hall();

    @AfterEach
    void close() {
        hall.close();
    }

    @Test
    void listenersHearEachDecisionOnceWithItsParts() {
        hall.with(bucket("a", 1, ofMinutes(1)), window("b", 5, ofMinutes(1)));
        List<Ask> both = List.of(one("a", "k"), one("b", "k"));

        Decision allowed = hall.door().acquireBlocking(both, null);
        Decision denied = hall.door().acquireBlocking(both, null);
        Decision later = hall.door().acquire(both, null).join();

        assertThat(hall.heard.decisions).containsExactly(allowed, denied, later);
        assertThat(allowed).isInstanceOf(Allowed.class);
        assertThat(denied).isInstanceOf(Denied.class).isEqualTo(later);
        assertThat(denied.parts()).extracting(Decision::limit).containsExactly("a", "b");
        assertThat(hall.heard.waits).isEmpty();
    }

    @Test
    void numbersAreThoseOfTheAskedPlan() {
        hall.with(bucket("a", 1, ofMinutes(1)));

        assertThat(hall.door()
                        .acquireBlocking(List.of(new Ask("a", "gold", "k", 1)), null)
                        .plan())
                .isEqualTo("gold");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H0.000001S", "PT2H", "PT-1S", "PT2562047788015H"})
    void refusesAWaitOutsideOfWhatMayBeAskedNamingIt(Duration maxWait) {
        hall.with(bucket("a", 1, ofMinutes(1)));
        List<Ask> asks = List.of(one("a", "k"));

        assertThatThrownBy(() -> hall.door().acquireBlocking(asks, maxWait))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxWait = " + maxWait)
                .hasMessageContaining("PT1H");
        assertThatThrownBy(() -> hall.door().acquire(asks, maxWait)).isInstanceOf(IllegalArgumentException.class);
        assertThat(hall.taken("a", "k")).isZero();
    }

    @Test
    void refusesACallWithoutLimitsAndALimitNobodyDefined() {
        assertThatThrownBy(() -> hall.door().acquireBlocking(List.of(), null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> hall.door().acquire(List.of(one("none", "k")), null))
                .isInstanceOf(UnknownLimitException.class)
                .hasMessageContaining("'none'");
    }

    @Test
    void aStatedWaitBeatsTheLimitsOwn() {
        hall.with(bucket("a", 1, ofMinutes(1)).maxWait(ofHours(1)));
        hall.take("a", "k", 1);

        assertThat(denied(List.of(one("a", "k")), ZERO).reason()).isEqualTo(DenialReason.PERMITS_SPENT);
        assertThat(denied(List.of(one("a", "k")), ofSeconds(59))).satisfies(denial -> {
            assertThat(denial.reason()).isEqualTo(DenialReason.WAIT_TOO_LONG);
            assertThat(denial.retryAfter()).isEqualTo(ofSeconds(1));
        });
    }

    @Test
    void withoutAStatedWaitTheLimitsOwnHolds() {
        hall.with(bucket("a", 1, ofMinutes(1)).maxWait(ofSeconds(50)));
        hall.take("a", "k", 1);

        assertThat(denied(List.of(one("a", "k")), null).retryAfter()).isEqualTo(ofSeconds(10));
    }

    @Test
    void aPacedBucketThatStatesNoWaitDelaysAsLongAsTheApplicationSays() {
        hall.waiting = new Waiting(ofSeconds(50), 10);
        hall.with(paced("a", 9, ofMinutes(1)));
        hall.take("a", "k", 1);

        Denied denied = denied(List.of(one("a", "k")), null);

        assertThat(denied.reason()).isEqualTo(DenialReason.WAIT_TOO_LONG);
        assertThat(denied.retryAfter()).isEqualTo(ofSeconds(10));
    }

    @Test
    void aCallThatMustNotBeDelayedGetsOnlyAnUndelayedDeparture() {
        hall.with(paced("a", 9, ofMinutes(1)));

        assertThat(hall.door().acquireBlocking(List.of(one("a", "k")), ZERO)).isInstanceOf(Allowed.class);
        assertThat(denied(List.of(one("a", "k")), ZERO).reason()).isEqualTo(DenialReason.WAIT_TOO_LONG);
        assertThat(hall.taken("a", "k")).isEqualTo(1);
    }

    @Test
    void nobodyWaitsForWhatNeverComes() {
        hall.with(bucket("a", 2, ofMillis(1)), window("w", 2, ofMillis(1)));

        for (String limit : List.of("a", "w")) {
            Denied denied = denied(List.of(new Ask(limit, null, "k", 3)), ofHours(1));

            assertThat(denied.reason()).isEqualTo(DenialReason.COST_EXCEEDS_CAPACITY);
            assertThat(denied.retryAfter()).isNull();
        }
    }

    @Test
    void nobodyWaitsUnderAPenalty() {
        hall.with(bucket("a", 2, ofMillis(1)), window("w", 2, ofMillis(1)));
        for (String limit : List.of("a", "w")) {
            hall.counters.lock(hall.limits.numbersFor(limit, null, "k"), "k", ofMillis(50));

            Denied denied = denied(List.of(one(limit, "k")), ofHours(1));

            assertThat(denied.reason()).isEqualTo(DenialReason.PENALTY);
            assertThat(denied.retryAfter()).isEqualTo(ofMillis(50));
        }
    }

    @Test
    void aShadowLimitNeverMakesACallWait() {
        hall.with(
                bucket("a", 1, ofMinutes(1)).shadow(true),
                window("w", 1, ofMinutes(1)).shadow(true));
        List<Ask> both = List.of(one("a", "k"), one("w", "k"));
        hall.door().acquireBlocking(both, ofHours(1));

        Decision second = hall.door().acquireBlocking(both, ofHours(1));

        assertThat(second).isInstanceOf(Allowed.class);
        assertThat(second.parts()).allMatch(Decision::isShadowDenial);
    }

    private Denied denied(List<Ask> asks, @Nullable Duration maxWait) {
        Decision blocking = hall.door().acquireBlocking(asks, maxWait);
        Decision async = hall.door().acquire(asks, maxWait).join();
        assertThat(async).isEqualTo(blocking);
        return (Denied) blocking;
    }
}
