/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an answer's headers say about limits. Worked example, 600 a minute with a burst of 50, of which 12 are left:
 *
 * <pre>
 * X-RateLimit-Limit: 50
 * X-RateLimit-Remaining: 12
 * X-RateLimit-Reset: 4
 * RateLimit-Policy: "orders";q=600;w=60
 * RateLimit: "orders";r=12;t=4
 * </pre>
 *
 * <p>Seconds are rounded up. An outage has no numbers to tell.
 */
public final class AnswerHeaders {

    /** The header that tells scripts from other origins which headers they may read. */
    public static final String EXPOSE = "Access-Control-Expose-Headers";

    static final String RETRY_AFTER = "Retry-After";

    /** When to come back after an outage: nobody knows, so soon. */
    static final long OUTAGE_SECONDS = 1;

    private static final long SECOND = 1_000_000;

    private final HeaderChoice choice;

    /** Headers of this choice. */
    public AnswerHeaders(HeaderChoice choice) {
        this.choice = choice;
    }

    /**
     * The headers of an answer, by name.
     *
     * @param status of the answer: when to come back is told with 429 and 503 only
     */
    public Map<String, String> of(RequestDecisions decisions, int status) {
        Map<String, String> headers = new LinkedHashMap<>();
        boolean outage = decisions.isOutage();
        Denied denial = decisions.denial();
        if (choice.retryAfter() && (status == 429 || status == 503)) {
            Long seconds = outage ? Long.valueOf(OUTAGE_SECONDS) : denial == null ? null : retryAfterSeconds(denial);
            if (seconds != null) {
                headers.put(RETRY_AFTER, seconds.toString());
            }
        }
        if (!outage) {
            addNumbers(decisions, headers);
        }
        return headers;
    }

    /** Whether scripts from other origins may read the headers. */
    public boolean exposed() {
        return choice.expose();
    }

    /** What {@link #EXPOSE} says when these headers are added to what it said before. */
    public static String exposing(@Nullable String before, Map<String, String> headers) {
        String names = String.join(", ", headers.keySet());
        return before == null || before.isBlank() ? names : before + ", " + names;
    }

    private void addNumbers(RequestDecisions decisions, Map<String, String> headers) {
        Decision decisive = decisions.decisive();
        if (decisive == null) {
            return;
        }
        if (choice.xRateLimit()) {
            Limit limit = limit(decisive);
            headers.put(
                    "X-RateLimit-Limit", Long.toString(limit.algorithm().isBucket() ? limit.burst() : limit.permits()));
            headers.put("X-RateLimit-Remaining", Long.toString(remaining(decisive)));
            headers.put("X-RateLimit-Reset", Long.toString(seconds(resetAfterMicros(decisive))));
        }
        if (choice.rateLimit()) {
            List<Decision> parts = decisions.parts();
            headers.put("RateLimit-Policy", joined(parts.stream().map(AnswerHeaders::policy)));
            headers.put("RateLimit", joined(parts.stream().map(AnswerHeaders::state)));
        }
    }

    private static String joined(Stream<String> items) {
        return items.collect(Collectors.joining(", "));
    }

    private static String policy(Decision part) {
        Limit limit = limit(part);
        String item = quoted(part.limit()) + ";q=" + limit.permits();
        return limit.periodMicros() % SECOND == 0 ? item + ";w=" + limit.periodMicros() / SECOND : item;
    }

    private static String state(Decision part) {
        String item = quoted(part.limit()) + ";r=" + remaining(part);
        Long seconds = part instanceof Denied denied
                ? retryAfterSeconds(denied)
                : Long.valueOf(seconds(resetAfterMicros(part)));
        return seconds == null ? item : item + ";t=" + seconds;
    }

    /** A string of RFC 9651. Limits are named in ASCII, so quote and backslash are all there is to escape. */
    static String quoted(String name) {
        return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** When to come back, at least a second; null when no wait helps. */
    static @Nullable Long retryAfterSeconds(Denied denied) {
        if (denied.reason() == DenialReason.STORE_UNAVAILABLE) {
            return OUTAGE_SECONDS;
        }
        return denied.retryAfterMicros() == Denied.NEVER ? null : Math.max(1, seconds(denied.retryAfterMicros()));
    }

    private static long seconds(long micros) {
        return (micros + SECOND - 1) / SECOND;
    }

    private static Limit limit(Decision part) {
        return part instanceof Denied denied ? denied.definition() : ((Allowed) part).definition();
    }

    private static long remaining(Decision part) {
        return part instanceof Denied denied ? denied.remaining() : ((Allowed) part).remaining();
    }

    private static long resetAfterMicros(Decision part) {
        return part instanceof Denied denied ? denied.resetAfterMicros() : ((Allowed) part).resetAfterMicros();
    }
}
