/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterClosedException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalTests {

    @ParameterizedTest
    @CsvSource({
        "PERMITS_SPENT, 429, quota-exceeded, The permits of limit 'orders' are spent. Try again in 2 seconds.",
        "COST_EXCEEDS_CAPACITY, 429, quota-exceeded,"
                + " The request takes more permits than limit 'orders' can ever hold. Try again in 2 seconds.",
        "PENALTY, 429, abnormal-usage-detected,"
                + " 'After too many requests, limit ''orders'' is closed for a while. Try again in 2 seconds.'",
        "WAIT_TOO_LONG, 429, quota-exceeded, A permit of limit 'orders' would come too late. Try again in 2 seconds.",
        "TOO_MANY_WAITING, 429, quota-exceeded,"
                + " Too many requests wait for limit 'orders' already. Try again in 2 seconds.",
        "STORE_UNAVAILABLE, 503, temporary-reduced-capacity,"
                + " Requests cannot be counted at the moment. Try again in 1 second.",
    })
    void saysWhy(DenialReason reason, int status, String type, String detail) {
        Refusal refusal = refusal(denied("orders", reason, 1_000_001));

        assertThat(refusal.status()).isEqualTo(status);
        assertThat(refusal.type()).isEqualTo("https://iana.org/assignments/http-problem-types#" + type);
        assertThat(refusal.detail()).isEqualTo(detail);
    }

    @Test
    void promisesNothingWhereNoWaitHelps() {
        assertThat(refusal(denied("orders", DenialReason.COST_EXCEEDS_CAPACITY, Denied.NEVER))
                        .detail())
                .isEqualTo("The request takes more permits than limit 'orders' can ever hold.");
    }

    @Test
    void namesEveryLimitThatDeniedTheDecidingOneFirst() {
        Denied shadow = new Denied(limit("watched").with().shadow(true).build(), DenialReason.PERMITS_SPENT, 0, 0, 9);
        Decision decided = Decision.together(List.of(
                denied("first", DenialReason.PERMITS_SPENT, 1),
                shadow,
                denied("second", DenialReason.PERMITS_SPENT, 2),
                new Decision.Allowed(limit("third"), 1, 1, 0)));

        assertThat(refusal((Denied) decided).violated()).containsExactly("second", "first");
    }

    @Test
    void isWrittenAsJson() {
        assertThat(refusal(denied("orders", DenialReason.PERMITS_SPENT, 1)).body())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\",\"status\":429,"
                        + "\"detail\":\"The permits of limit 'orders' are spent. Try again in 1 second.\","
                        + "\"violated-policies\":[\"orders\"]}");
    }

    @Test
    void isABadRequestWithoutAKeyAndEchoesNothing() {
        Refusal refusal = Objects.requireNonNull(Refusal.of(new InvalidRateLimitKeyException("secret place")));

        assertThat(refusal.body())
                .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
                        + "\"detail\":\"The request lacks what tells callers apart.\"}");
    }

    @Test
    void isTemporaryWhenTheApplicationStops() {
        Refusal refusal = Objects.requireNonNull(Refusal.of(new RateLimiterClosedException()));

        assertThat(refusal.body())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity\","
                        + "\"title\":\"Request cannot be satisfied due to temporary server capacity constraints\","
                        + "\"status\":503,\"detail\":\"The server is stopping and lets no request wait."
                        + " Try again in 1 second.\"}");
    }

    @Test
    void isFoundInWhatAFutureFailedWith() {
        RateLimitExceededException exceeded =
                new RateLimitExceededException(denied("orders", DenialReason.PERMITS_SPENT, 1));

        Refusal refusal = Refusal.of(new CompletionException(new CompletionException(exceeded)));

        assertThat(Objects.requireNonNull(refusal).exception()).isSameAs(exceeded);
        assertThat(Refusal.of(new IllegalStateException(exceeded))).isNull();
    }

    @Test
    void escapesWhatJsonCannotHold() {
        assertThat(JsonText.of("a\"b\\c\n\u00e9\u2028")).isEqualTo("\"a\\\"b\\\\c\\u000a\\u00e9\\u2028\"");
    }

    private static Refusal refusal(Denied denied) {
        return Objects.requireNonNull(Refusal.of(new RateLimitExceededException(denied)));
    }

    private static Denied denied(String limit, DenialReason reason, long retryAfter) {
        return new Denied(limit(limit), reason, 0, 1, retryAfter);
    }

    private static Limit limit(String name) {
        return Limit.named(name).permits(1).period(Duration.ofHours(1)).build();
    }
}
