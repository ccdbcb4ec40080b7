/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterClosedException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A refused call as HTTP says it: a status, and a problem of RFC 9457. Says nothing that the caller sent.
 *
 * @param exception what was thrown
 * @param status 429, 503 without a store or at the application's end, 400 for a call without a key
 * @param type the URI of the problem's type
 * @param title the type in words
 * @param detail what happened here
 * @param violated the limits that denied, the deciding one first
 */
public record Refusal(
        RuntimeException exception, int status, String type, String title, String detail, List<String> violated) {

    /** The media type of {@link #body}. */
    public static final String CONTENT_TYPE = "application/problem+json";

    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
    private static final String OUTAGE = "temporary-reduced-capacity";

    /** What an exception refuses, thrown as it is or carried out of a future; null when it is none of ours. */
    public static @Nullable Refusal of(Throwable thrown) {
        Throwable actual = thrown;
        while ((actual instanceof CompletionException || actual instanceof ExecutionException)
                && actual.getCause() != null) {
            actual = actual.getCause();
        }
        if (actual instanceof RateLimitExceededException exceeded) {
            return of(exceeded);
        }
        if (actual instanceof RateLimiterClosedException closed) {
            String detail = "The server is stopping and lets no request wait.";
            return of(closed, 503, OUTAGE, again(detail, AnswerHeaders.OUTAGE_SECONDS), List.of());
        }
        return actual instanceof InvalidRateLimitKeyException noKey
                ? new Refusal(
                        noKey,
                        400,
                        "about:blank",
                        "Bad Request",
                        "The request lacks what tells callers apart.",
                        List.of())
                : null;
    }

    private static Refusal of(RateLimitExceededException exceeded) {
        Denied denied = exceeded.denied();
        boolean outage = denied.reason() == DenialReason.STORE_UNAVAILABLE;
        String type = outage
                ? OUTAGE
                : denied.reason() == DenialReason.PENALTY ? "abnormal-usage-detected" : "quota-exceeded";
        return of(exceeded, outage ? 503 : 429, type, detail(denied), violated(denied));
    }

    private static Refusal of(
            RuntimeException exception, int status, String type, String detail, List<String> violated) {
        String title = "Request cannot be satisfied "
                + switch (type) {
                    case "quota-exceeded" -> "as assigned quota has been exceeded";
                    case "abnormal-usage-detected" -> "due to abnormal request pattern";
                    default -> "due to temporary server capacity constraints";
                };
        return new Refusal(exception, status, TYPES + type, title, detail, violated);
    }

    private static String detail(Denied denied) {
        String limit = "limit '" + denied.limit() + "'";
        String what = switch (denied.reason()) {
            case PERMITS_SPENT -> "The permits of " + limit + " are spent.";
            case COST_EXCEEDS_CAPACITY -> "The request takes more permits than " + limit + " can ever hold.";
            case PENALTY -> "After too many requests, " + limit + " is closed for a while.";
            case WAIT_TOO_LONG -> "A permit of " + limit + " would come too late.";
            case TOO_MANY_WAITING -> "Too many requests wait for " + limit + " already.";
            case STORE_UNAVAILABLE -> "Requests cannot be counted at the moment.";
        };
        Long seconds = AnswerHeaders.retryAfterSeconds(denied);
        return seconds == null ? what : again(what, seconds);
    }

    private static String again(String what, long seconds) {
        return what + " Try again in " + seconds + (seconds == 1 ? " second." : " seconds.");
    }

    private static List<String> violated(Denied denied) {
        Set<String> names = new LinkedHashSet<>();
        names.add(denied.limit());
        for (Decision part : denied.parts()) {
            if (part instanceof Denied also && !also.definition().shadow()) {
                names.add(also.limit());
            }
        }
        return List.copyOf(names);
    }

    /** The problem as JSON, in ASCII. */
    public String body() {
        StringBuilder json = new StringBuilder(300);
        json.append("{\"type\":").append(JsonText.of(type));
        json.append(",\"title\":").append(JsonText.of(title));
        json.append(",\"status\":").append(status);
        json.append(",\"detail\":").append(JsonText.of(detail));
        if (!violated.isEmpty()) {
            json.append(",\"violated-policies\":[");
            for (int i = 0; i < violated.size(); i++) {
                json.append(i == 0 ? "" : ",").append(JsonText.of(violated.get(i)));
            }
            json.append(']');
        }
        return json.append('}').toString();
    }
}
