/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.web.CallerAddresses;
import io.github.ratelimit.web.HeaderChoice;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code ratelimit.http.*}.
 *
 * @param headers Which headers answers carry: retry-after, x-ratelimit, and ratelimit as in the IETF draft.
 * @param problemDetails Whether a denial is answered with a body of application/problem+json.
 * @param exposeHeaders Whether browsers may read the headers across origins (Access-Control-Expose-Headers).
 * @param yieldToCatchAll Whether an application's exception handler for all exceptions takes the denial.
 * @param trustedProxies Networks (CIDR) of the proxies whose Forwarded and X-Forwarded-For headers are believed.
 * @param ipv6Prefix How many bits of an IPv6 address tell callers apart.
 * @param rules Limits for paths, without annotations. All rules that match a request are decided together.
 * @param rulesOrder Order of the filter that applies the path rules. The default is after authentication.
 */
public record HttpProperties(
        @DefaultValue({"retry-after", "x-ratelimit"}) Set<Header> headers,
        @DefaultValue("true") boolean problemDetails,
        @DefaultValue("false") boolean exposeHeaders,
        @DefaultValue("false") boolean yieldToCatchAll,
        @DefaultValue List<String> trustedProxies,
        @DefaultValue("64") int ipv6Prefix,
        @DefaultValue List<Rule> rules,

        @DefaultValue("" + HttpProperties.BEHIND_AUTHENTICATION)
        int rulesOrder) {

    /** Behind the filters of Spring Security, whose order is -100 unless said otherwise. */
    static final int BEHIND_AUTHENTICATION = -50;

    /** Checks the values and copies the lists. */
    public HttpProperties {
        headers = Set.copyOf(headers);
        trustedProxies = List.copyOf(trustedProxies);
        rules = List.copyOf(rules);
        Checks.that(
                ipv6Prefix >= 1 && ipv6Prefix <= 128,
                "http.ipv6-prefix",
                ipv6Prefix,
                "is no length of a prefix",
                "Use 1 to 128; the default is 64.");
        for (int i = 0; i < trustedProxies.size(); i++) {
            String problem = CallerAddresses.problem(trustedProxies.get(i));
            Checks.that(
                    problem == null,
                    "http.trusted-proxies[" + i + "]",
                    trustedProxies.get(i),
                    String.valueOf(problem),
                    "Write the addresses of your proxies as networks, such as 10.0.0.0/8, 192.0.2.7 or 2001:db8::/32.");
        }
    }

    /** Checks the rules: after the names of their properties, since a misspelt name leaves its value out. */
    void checkRules() {
        for (int i = 0; i < rules.size(); i++) {
            rules.get(i).check("http.rules[" + i + "]");
        }
    }

    /** The order of the filter that finds out who calls: before the rules, but never before authentication. */
    int callersOrder() {
        return Math.max(rulesOrder, BEHIND_AUTHENTICATION) - 1;
    }

    /** The headers as the answers know them. */
    HeaderChoice headerChoice() {
        return new HeaderChoice(
                headers.contains(Header.RETRY_AFTER),
                headers.contains(Header.X_RATELIMIT),
                headers.contains(Header.RATELIMIT),
                exposeHeaders);
    }

    /** Headers that tell a client where it stands. */
    public enum Header {
        /** When to come back, on denials. */
        RETRY_AFTER,
        /** Limit, Remaining and Reset of the tightest limit. */
        X_RATELIMIT,
        /** {@code RateLimit} and {@code RateLimit-Policy} of the IETF draft, one item per limit. */
        RATELIMIT
    }

    /** Methods that a rule may name. Of another, a rule's condition may say {@code #caller.method == 'PURGE'}. */
    public enum Method {
        GET,
        HEAD,
        POST,
        PUT,
        PATCH,
        DELETE,
        OPTIONS,
        TRACE
    }

    /**
     * Limits for a path.
     *
     * @param path the pattern of the paths, such as {@code /api/**}
     * @param methods the HTTP methods; none: all, but not the preflight requests of browsers
     * @param limits the names of the limits
     * @param key who is counted, as an expression over {@code #caller}; one counter for everyone unless stated
     * @param condition counted only when this expression is true; always unless stated
     */
    public record Rule(
            @Nullable String path,
            @DefaultValue Set<Method> methods,
            @DefaultValue List<String> limits,
            @Nullable String key,
            @Nullable String condition) {

        /** Copies the lists. */
        public Rule {
            methods = Set.copyOf(methods);
            limits = List.copyOf(limits);
        }

        private void check(String place) {
            Checks.that(
                    path != null && path.startsWith("/"),
                    place + ".path",
                    path,
                    path == null ? "is missing" : "does not begin with '/'",
                    "Write the pattern of the paths that are limited, such as /api/**.");
            Checks.that(
                    !limits.isEmpty(),
                    place + ".limits",
                    null,
                    "names no limit",
                    "Name at least one limit of ratelimit.limits.");
            checkExpression(place + ".key", key, "for one counter for everyone");
            checkExpression(place + ".condition", condition, "to count always");
        }

        /** What begins with # and has no quotes around it is nothing but a comment to YAML. */
        private static void checkExpression(String property, @Nullable String expression, String without) {
            Checks.that(
                    expression == null || !expression.isBlank(),
                    property,
                    expression,
                    "is empty",
                    "Write the expression in quotes, since # begins a comment in YAML; or leave it out " + without
                            + ".");
        }
    }
}
