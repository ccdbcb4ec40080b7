/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimiterClosedException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class AnswerHeadersTests {

    private static final Limit ORDERS = Limit.named("orders")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .permits(600)
            .period(Duration.ofMinutes(1))
            .burst(50L)
            .build();
    private static final Limit DAILY = Limit.named("daily")
            .algorithm(Algorithm.FIXED_WINDOW)
            .permits(1_000)
            .period(Duration.ofDays(1))
            .build();
    private static final AnswerHeaders ALL = new AnswerHeaders(new HeaderChoice(true, true, true, false));

    @Test
    void countDownFromTheBurstOfABucket() {
        assertThat(headers(200, new Allowed(ORDERS, 12, 3_800_000, 0)))
                .containsExactly(
                        Map.entry("X-RateLimit-Limit", "50"),
                        Map.entry("X-RateLimit-Remaining", "12"),
                        Map.entry("X-RateLimit-Reset", "4"),
                        Map.entry("RateLimit-Policy", "\"orders\";q=600;w=60"),
                        Map.entry("RateLimit", "\"orders\";r=12;t=4"));
    }

    @Test
    void tellTheTightestOfSeveralLimitsAndEachOfThem() {
        Decision both =
                Decision.together(List.of(new Allowed(ORDERS, 12, 3_800_000, 0), new Allowed(DAILY, 7, 5_000_001, 0)));

        assertThat(headers(200, both))
                .containsEntry("X-RateLimit-Limit", "1000")
                .containsEntry("X-RateLimit-Remaining", "7")
                .containsEntry("X-RateLimit-Reset", "6")
                .containsEntry("RateLimit-Policy", "\"orders\";q=600;w=60, \"daily\";q=1000;w=86400")
                .containsEntry("RateLimit", "\"orders\";r=12;t=4, \"daily\";r=7;t=6");
    }

    @Test
    void preferTheLaterResetAmongEquallyTight() {
        assertThat(headers(200, new Allowed(ORDERS, 7, 1, 0), new Allowed(DAILY, 7, 2_000_000, 0)))
                .containsEntry("X-RateLimit-Limit", "1000");
        assertThat(headers(200, new Allowed(DAILY, 7, 2_000_000, 0), new Allowed(ORDERS, 7, 1, 0)))
                .containsEntry("X-RateLimit-Limit", "1000");
    }

    @Test
    void tellTheLimitThatDeniedWithItsOwnNumbers() {
        Decision denied = Decision.together(
                List.of(new Allowed(ORDERS, 0, 9_000_000, 0), denied(DAILY, 3, 20_000_001, 10_000_000)));

        assertThat(headers(429, denied))
                .containsEntry("Retry-After", "10")
                .containsEntry("X-RateLimit-Limit", "1000")
                .containsEntry("X-RateLimit-Remaining", "3")
                .containsEntry("X-RateLimit-Reset", "21")
                .containsEntry("RateLimit", "\"orders\";r=0;t=9, \"daily\";r=3;t=10");
    }

    @Test
    void roundUpToAtLeastASecond() {
        assertThat(headers(429, denied(ORDERS, 0, 1, 1))).containsEntry("Retry-After", "1");
        assertThat(headers(429, denied(ORDERS, 0, 0, 0))).containsEntry("Retry-After", "1");
        assertThat(headers(429, denied(ORDERS, 0, 1, 1_000_001))).containsEntry("Retry-After", "2");
    }

    @Test
    void promiseNothingWhereNoWaitHelps() {
        assertThat(headers(429, denied(ORDERS, 4, 1, Denied.NEVER)))
                .doesNotContainKey("Retry-After")
                .containsEntry("RateLimit", "\"orders\";r=4");
    }

    @Test
    void sayWhenToComeBackOnlyToWhoIsTurnedAway() {
        assertThat(headers(200, denied(ORDERS, 0, 1, 1)))
                .doesNotContainKey("Retry-After")
                .containsEntry("X-RateLimit-Remaining", "0");
    }

    @Test
    void keepADenialWhateverIsAllowedAfterIt() {
        assertThat(headers(429, denied(ORDERS, 0, 1, 1), new Allowed(DAILY, 0, 1, 0), new Allowed(ORDERS, 0, 1, 0)))
                .containsEntry("Retry-After", "1")
                .containsEntry("X-RateLimit-Limit", "50");
    }

    @Test
    void tellTheLastOfTwoDenials() {
        assertThat(headers(429, denied(ORDERS, 0, 1, 9_000_000), denied(DAILY, 0, 1, 2_000_000)))
                .containsEntry("Retry-After", "2")
                .containsEntry("X-RateLimit-Limit", "1000");
    }

    @Test
    void tellTheLongerOfTwoDenialsOfOneLimitByTwoKeys() {
        Denied longer = denied(ORDERS, 0, 9_000_000, 9_000_000);
        Denied shorter = denied(ORDERS, 0, 2_000_000, 2_000_000);

        for (List<Decision> keys : List.of(List.<Decision>of(longer, shorter), List.<Decision>of(shorter, longer))) {
            assertThat(headers(429, Decision.together(keys)))
                    .containsEntry("Retry-After", "9")
                    .containsEntry("X-RateLimit-Reset", "9")
                    .containsEntry("RateLimit", "\"orders\";r=0;t=9");
        }
    }

    @Test
    void leaveOutAPeriodThatIsNoWholeSeconds() {
        Limit odd = DAILY.with().period(Duration.ofMillis(1500)).build();

        assertThat(headers(200, new Allowed(odd, 1, 1, 0))).containsEntry("RateLimit-Policy", "\"daily\";q=1000");
    }

    @Test
    void haveNoNumbersInAnOutage() {
        Denied outage = new Denied(ORDERS, DenialReason.STORE_UNAVAILABLE, 0, 0, 1_000_000);

        assertThat(headers(503, outage)).containsExactly(Map.entry("Retry-After", "1"));
    }

    @Test
    void saySilenceAboutShadowAndUncounted() {
        Limit shadow = ORDERS.with().shadow(true).build();

        assertThat(headers(200, new Uncounted("orders", null))).isEmpty();
        assertThat(headers(200, Decision.together(List.of(denied(shadow, 0, 1, 1)))))
                .isEmpty();
        assertThat(headers(200, Decision.together(List.of(denied(shadow, 0, 1, 1), new Allowed(DAILY, 5, 1, 0)))))
                .containsEntry("RateLimit", "\"daily\";r=5;t=1");
    }

    @Test
    void haveNoNumbersWhenTheApplicationStops() {
        RequestDecisions decisions = new RequestDecisions();
        decisions.add(new Allowed(ORDERS, 12, 3_800_000, 0));
        decisions.add(Objects.requireNonNull(Refusal.of(new RateLimiterClosedException())));

        assertThat(ALL.of(decisions, 503)).containsExactly(Map.entry("Retry-After", "1"));
        assertThat(ALL.of(decisions, 200)).isEmpty();
    }

    @Test
    void areWhatWasChosen() {
        RequestDecisions decisions = new RequestDecisions();
        decisions.add(denied(ORDERS, 0, 1, 1));

        assertThat(new AnswerHeaders(new HeaderChoice(false, false, false, true)).of(decisions, 429))
                .isEmpty();
        assertThat(new AnswerHeaders(new HeaderChoice(true, false, false, true)).of(decisions, 429))
                .containsOnlyKeys("Retry-After");
    }

    @Test
    void areExposedBesideWhatWasExposedBefore() {
        Map<String, String> headers = Map.of("Retry-After", "1");

        assertThat(AnswerHeaders.exposing(null, headers)).isEqualTo("Retry-After");
        assertThat(AnswerHeaders.exposing("ETag", headers)).isEqualTo("ETag, Retry-After");
    }

    @Test
    void quoteAsAStructuredField() {
        assertThat(AnswerHeaders.quoted("a\"b\\c")).isEqualTo("\"a\\\"b\\\\c\"");
    }

    private static Map<String, String> headers(int status, Decision... heard) {
        RequestDecisions decisions = new RequestDecisions();
        Arrays.stream(heard).forEach(decisions::add);
        return ALL.of(decisions, status);
    }

    private static Denied denied(Limit limit, long remaining, long resetAfter, long retryAfter) {
        return new Denied(limit, DenialReason.PERMITS_SPENT, remaining, resetAfter, retryAfter);
    }
}
