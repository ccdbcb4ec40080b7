/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import java.util.regex.Pattern;

/** Whole answers as they are expected of a limit of one call an hour, with all headers on and shown to other origins. */
final class ExpectedAnswers {

    /** What the servers say of the same thing in ways of their own. */
    private static final Pattern OF_THE_STACK = Pattern.compile(
            "\\n(content-type: (?!application/problem).*|content-language: .*|accept-patch: .*|allow: GET, .*)");

    private ExpectedAnswers() {}

    /** The head of an answer that the limit allowed. */
    static String allowed(int status, String limit) {
        return """
                %d
                access-control-expose-headers: X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, \
                RateLimit-Policy, RateLimit
                ratelimit: "%s";r=0;t=3600
                ratelimit-policy: "%s";q=1;w=3600
                x-ratelimit-limit: 1
                x-ratelimit-remaining: 0
                x-ratelimit-reset: 3600

                """.formatted(status, limit, limit);
    }

    /** The head of an answer that the limit denied. */
    static String denied(String limit) {
        return allowed(429, limit)
                .replace("X-RateLimit-Limit, ", "Retry-After, X-RateLimit-Limit, ")
                .replace("\nratelimit: ", "\ncontent-type: application/problem+json\nratelimit: ")
                .replace("\nx-ratelimit-limit", "\nretry-after: 3600\nx-ratelimit-limit");
    }

    /** The body of an answer that the limit denied. */
    static String spent(String limit) {
        return RefusalSpecification.denied(limit).replaceAll("(?s)^.*\n\n", "");
    }

    /** An answer without what the servers say in ways of their own. */
    static String text(RawAnswer answer) {
        return OF_THE_STACK.matcher(answer.text()).replaceAll("");
    }
}
