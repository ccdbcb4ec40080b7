/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static io.github.ratelimit.limiter.Hall.bucket;
import static io.github.ratelimit.limiter.Hall.paced;
import static io.github.ratelimit.limiter.Hall.window;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the store is asked, and what its answers mean, when so much of the patience is used up. */
class CourseTests {

    private static final Limit TOKENS = bucket("tokens", 5, ofMinutes(1)).build();
    private static final Limit PACED = paced("paced", 5, ofMinutes(1)).build();
    private static final Limit WINDOW = window("window", 5, ofMinutes(1)).build();
    private static final Limit SHADOW =
            window("shadow", 5, ofMinutes(1)).shadow(true).build();
    private static final long SECOND = 1_000_000;

    @Test
    void bucketsAreAskedWithAllThePatience() {
        assertThat(waits(course(TOKENS, PACED, SHADOW).ask(3 * SECOND)))
                .containsExactly(10 * SECOND, 10 * SECOND, 10 * SECOND);
    }

    @Test
    void besideAWindowOnlyAPacedBucketMayDelayByWhatIsLeftOfThePatience() {
        assertThat(waits(course(TOKENS, PACED, WINDOW).ask(3 * SECOND))).containsExactly(0L, 7 * SECOND, 0L);
        assertThat(waits(course(TOKENS, PACED, WINDOW).ask(30 * SECOND))).containsExactly(0L, 0L, 0L);
    }

    @Test
    void aPauseEndsExactlyWhereThePatienceEnds() {
        Course course = course(WINDOW);

        assertThat(course.next(denied(7 * SECOND), 3 * SECOND))
                .isEqualTo(new Step.Pause(7 * SECOND, denied(7 * SECOND)));
        assertThat(course.next(denied(7 * SECOND), 3 * SECOND + 1))
                .isEqualTo(new Step.Settled(new Denied(WINDOW, DenialReason.WAIT_TOO_LONG, 0, 0, 7 * SECOND)));
    }

    @Test
    void aStoreThatSaysRetryAtOnceIsNotPolledForEver() {
        assertThat(course(WINDOW).next(denied(0), 0)).isEqualTo(new Step.Pause(1, denied(0)));
        assertThat(course(WINDOW).next(denied(0), 10 * SECOND + 1)).isInstanceOf(Step.Settled.class);
    }

    @Test
    void onlyWhoIsWillingToWaitHoldsItsPenaltyBack() {
        Limit strict = WINDOW.with().penalty(ofHours(1)).build();

        assertThat(penalties(new Course(List.of(Charge.of(strict, "k", 1)), Patience.stated(ofSeconds(10)))))
                .containsExactly(Duration.ZERO);
        assertThat(penalties(new Course(List.of(Charge.of(strict, "k", 1)), Patience.NONE)))
                .containsExactly(ofHours(1));
    }

    private static Denied denied(long retryAfterMicros) {
        return new Denied(WINDOW, DenialReason.PERMITS_SPENT, 0, 0, retryAfterMicros);
    }

    private static Course course(Limit... limits) {
        return new Course(
                Arrays.stream(limits).map(limit -> Charge.of(limit, "k", 1)).toList(), Patience.stated(ofSeconds(10)));
    }

    private static List<Long> waits(List<Charge> charges) {
        return charges.stream().map(Charge::maxWaitMicros).toList();
    }

    private static List<Duration> penalties(Course course) {
        return course.ask(0).stream().map(charge -> charge.limit().penalty()).toList();
    }
}
