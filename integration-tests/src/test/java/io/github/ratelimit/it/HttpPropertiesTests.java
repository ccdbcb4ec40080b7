/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.server.WebFilter;

/** What the properties {@code ratelimit.http.*} and the great switches change in answers. */
class HttpPropertiesTests {

    private static RunningApplication start(WebStack stack, String... properties) {
        return stack.startWith(List.of(Application.class), List.of("ratelimit.store=local"), List.of(properties));
    }

    @ParameterizedTest
    @EnumSource
    void leavesTheAnswerToTheApplicationWithoutProblemDetails(WebStack stack) throws Exception {
        try (RunningApplication plain = start(stack, "ratelimit.http.problem-details=false")) {
            plain.send("GET /value HTTP/1.1");

            RawAnswer denied = plain.send("GET /value HTTP/1.1");

            assertThat(denied.status()).isEqualTo(429);
            assertThat(denied.header("content-type")).isEqualTo("application/json");
            assertThat(denied.body()).contains("\"path\":\"/value\"").contains("Too Many Requests");
            assertThat(denied.header("retry-after")).isEqualTo("3600");
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesTheFieldsOfTheDraftAndExposesThem(WebStack stack) throws Exception {
        try (RunningApplication draft =
                start(stack, "ratelimit.http.headers=retry-after,ratelimit", "ratelimit.http.expose-headers=true")) {
            assertThat(draft.send("GET /value HTTP/1.1").limitHeaders()).isEqualTo("""
                            access-control-expose-headers: RateLimit-Policy, RateLimit
                            ratelimit: "value";r=0;t=3600
                            ratelimit-policy: "value";q=1;w=3600""");
            assertThat(draft.send("GET /value HTTP/1.1").limitHeaders()).isEqualTo("""
                            access-control-expose-headers: Retry-After, RateLimit-Policy, RateLimit
                            ratelimit: "value";r=0;t=3600
                            ratelimit-policy: "value";q=1;w=3600
                            retry-after: 3600""");
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysNothingInShadow(WebStack stack) throws Exception {
        try (RunningApplication shadow = start(stack, "ratelimit.shadow=true")) {
            shadow.send("GET /value HTTP/1.1");
            RawAnswer passed = shadow.send("GET /value HTTP/1.1");

            assertThat(passed.status()).isEqualTo(200);
            assertThat(passed.limitHeaders()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNotThereWhenSwitchedOff(WebStack stack) throws Exception {
        try (RunningApplication off = start(stack, "ratelimit.enabled=false")) {
            off.send("GET /value HTTP/1.1");
            RawAnswer passed = off.send("GET /value HTTP/1.1");

            assertThat(passed.status()).isEqualTo(200);
            assertThat(passed.limitHeaders()).isEmpty();
            assertThat(off.context().containsBean("rateLimitExchangeFilter")).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersAnOutageWith503(WebStack stack) throws Exception {
        try (RunningApplication away = startWithoutRedis(stack, "deny")) {
            assertThat(away.send("GET /value HTTP/1.1").text()).isEqualTo("""
                            503
                            content-type: application/problem+json
                            retry-after: 1

                            {"type":"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity",\
                            "title":"Request cannot be satisfied due to temporary server capacity constraints",\
                            "status":503,"detail":"Requests cannot be counted at the moment. Try again in 1 second.",\
                            "violated-policies":["value"]}""");
        }
    }

    /** A gate that could count before the one that could not leaves no numbers behind. */
    @ParameterizedTest
    @EnumSource
    void answersAnOutageBehindAnotherGateAlike(WebStack stack) throws Exception {
        for (String expose : List.of("false", "true")) {
            try (RunningApplication away = startWithoutRedis(
                    stack,
                    "deny",
                    "ratelimit.http.expose-headers=" + expose,
                    "ratelimit.limits.near.store=local",
                    "ratelimit.limits.near.permits=10",
                    "ratelimit.limits.near.period=1h",
                    "ratelimit.http.rules[0].path=/**",
                    "ratelimit.http.rules[0].limits=near")) {
                assertThat(away.send("GET /missing HTTP/1.1").header("x-ratelimit-remaining"))
                        .isEqualTo("9");
                RawAnswer refused = away.send("GET /value HTTP/1.1", "X-Ask: own");
                RawAnswer page = away.send("GET /value HTTP/1.1", "X-Ask: own", "Accept: text/html");

                String exposed = expose.equals("true") ? "access-control-expose-headers: Retry-After\n" : "";
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.limitHeaders()).isEqualTo(exposed + "retry-after: 1");
                assertThat(refused.header("content-type")).isEqualTo("application/problem+json");
                assertThat(refused.header("x-own")).isEqualTo("one | two");
                assertThat(page.status()).isEqualTo(503);
                assertThat(page.limitHeaders()).isEqualTo(exposed + "retry-after: 1");
                assertThat(page.body()).contains("Service Unavailable");
                assertThat(page.header("x-own")).isEqualTo("one | two");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysNothingWhereNobodyCounts(WebStack stack) throws Exception {
        try (RunningApplication away = startWithoutRedis(stack, "allow")) {
            away.send("GET /value HTTP/1.1");
            RawAnswer passed = away.send("GET /value HTTP/1.1");

            assertThat(passed.status() + " " + passed.body()).isEqualTo("200 done");
            assertThat(passed.limitHeaders()).isEmpty();
        }
    }

    private static RunningApplication startWithoutRedis(WebStack stack, String policy, String... more) {
        return start(
                stack,
                Stream.concat(
                                Stream.of(
                                        "ratelimit.store=redis",
                                        "ratelimit.on-store-failure=" + policy,
                                        "spring.data.redis.host=localhost",
                                        "spring.data.redis.port=1"),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({OneAnHour.class, OnServlets.class, OnWebFlux.class})
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {

        @Bean
        Filter own() {
            return (request, response, chain) -> {
                if (((HttpServletRequest) request).getHeader("X-Ask") == null) {
                    chain.doFilter(request, response);
                    return;
                }
                ((HttpServletResponse) response).addHeader("X-Own", "one");
                ((HttpServletResponse) response).addHeader("X-Own", "two");
                chain.doFilter(request, response);
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux {

        @Bean
        WebFilter own() {
            return (exchange, chain) -> {
                if (exchange.getRequest().getHeaders().getFirst("X-Ask") != null) {
                    exchange.getResponse().getHeaders().addAll("X-Own", List.of("one", "two"));
                }
                return chain.filter(exchange);
            };
        }
    }
}
