/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static io.github.ratelimit.it.RuledApplication.rule;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** No way to write a path gets past a rule, or into one that is not meant. */
class PathRulesTests {

    /** Each asks for what the rule covers; where a server lets one through to the handler, it has been counted. */
    private static final List<String> WAYS_AROUND = List.of(
            "/api/orders",
            "/api/orders/",
            "/api/orders?x=y",
            "/api/orders?;/../x",
            "/api;x=y/orders",
            "/api/orders;x=y",
            "/api/orders;",
            "//api/orders",
            "/api//orders",
            "/api/./orders",
            "/./api/orders",
            "/x/../api/orders",
            "/x/%2e%2e/api/orders",
            "/x/%2E%2e/api/orders",
            "/%2e/api/orders",
            "/%61pi/orders",
            "/%61%70%69/%6frders",
            "/api%2Forders",
            "/api%2forders/7",
            "/x%2f..%2fapi/orders",
            "/api/orders%20",
            "/api/orders%09",
            "/api/%6frders;a=b//",
            "/api/orders/..%3b/orders",
            "/api/orders.json",
            "/api/orders.css",
            "/api/orders/.css",
            "/api/orders%00",
            "/api/orders%c3%28",
            "/api/orders/%25",
            "/api\\orders",
            "/api%5corders",
            "/%2561pi/orders",
            "/api%252Forders",
            "/x/%252e%252e/api/orders");

    private static final List<String> WAYS_AROUND_A_PREFIX = List.of(
            "/PREFIX//api/orders",
            "//PREFIX/api/orders",
            "/./PREFIX/api/orders",
            "/x/../PREFIX/api/orders",
            "/x/%2e%2e/PREFIX/api/orders",
            "/PREFIX/../PREFIX/api/orders",
            "/PREFIX;x=y/api/orders",
            "/PREFIX;/;/api/orders",
            "/PREFIX/;x/api/orders",
            "/PREFIX%2Fapi/orders",
            "/%61REFIX/api/orders",
            "/%73REFIX/api/orders",
            "/%2573REFIX/api/orders");

    @ParameterizedTest
    @EnumSource
    void nothingReachesTheHandlerUncounted(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=/api/**"))) {
            assertNoWayAround(app, WAYS_AROUND);
        }
    }

    @ParameterizedTest
    @EnumSource
    void norWhereUpperAndLowerCaseAreOne(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(RuledApplication.Careless.class, rule("path=/api/**"))) {
            assertNoWayAround(app, WAYS_AROUND);
            assertNoWayAround(
                    app,
                    WAYS_AROUND.stream()
                            .map(way -> way.replace("api", "API").replace("rders", "RDERS"))
                            .toList());
        }
    }

    /** A way may also lead around the prefix itself. WebFlux fails by itself, before any filter, where a name goes on behind it. */
    @ParameterizedTest
    @CsvSource({
        "SERVLET,  /shop, /api/**,     server.servlet.context-path=/shop",
        "REACTIVE, /shop, /api/**,     spring.webflux.base-path=/shop",
        "SERVLET,  /app,  /api/**,     spring.mvc.servlet.path=/app",
        "SERVLET,  /app,  /app/api/**, spring.mvc.servlet.path=/app",
    })
    void norBelowAPrefix(WebStack stack, String prefix, String path, String property) throws Exception {
        List<String> below = WAYS_AROUND.stream().map(prefix::concat).toList();
        List<String> around = WAYS_AROUND_A_PREFIX.stream()
                .filter(way -> stack == WebStack.SERVLET || !way.matches(".*PREFIX[;%].*"))
                .map(way -> way.replace("/PREFIX", prefix).replace("REFIX", prefix.substring(2)))
                .toList();
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=" + path, property))) {
            assertNoWayAround(app, below);
            SoftAssertions softly = new SoftAssertions();
            around.forEach(way -> reaches(app, way, softly));
            softly.assertAll();
        }
    }

    /** What a rule's condition leaves out is left out for who asks for it, not for who asks for something else in its name. */
    @ParameterizedTest
    @EnumSource
    void norBehindAPathThatAConditionLeavesOut(WebStack stack) throws Exception {
        String[] rule = rule("path=/api/**", "ratelimit.http.rules[0].condition=#caller.path != '/api/health'");
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule)) {
            for (String asked : List.of("/api/health", "/api/h%65alth", "/api/health;x=y")) {
                assertThat(app.send("GET " + asked + " HTTP/1.1").body())
                        .as(asked)
                        .startsWith("handled");
                assertThat(app.context().getBean(Seen.class).look()).as(asked).isEmpty();
            }
            SoftAssertions softly = new SoftAssertions();
            List<String> behind = List.of(
                    "/api/orders/../health",
                    "/api/orders/%2e%2e/health",
                    "/api/orders/..;/health",
                    "/api/./health",
                    "/api//health",
                    "/api/orders%2F..%2Fhealth",
                    "/api/orders%2f%2e%2e%2fhealth",
                    "/api/health%2F.");
            long handled =
                    behind.stream().filter(way -> reaches(app, way, softly)).count();
            softly.assertAll();
            assertThat(handled).isPositive();
        }
    }

    private static void assertNoWayAround(RunningApplication app, List<String> ways) {
        SoftAssertions softly = new SoftAssertions();
        long handled = ways.stream().filter(way -> reaches(app, way, softly)).count();
        softly.assertAll();
        assertThat(handled).isGreaterThan(ways.size() / 3);
    }

    /** Whether a way leads to the handler; then it has been counted. */
    private static boolean reaches(RunningApplication app, String way, SoftAssertions softly) {
        RawAnswer answer;
        try {
            answer = app.send("GET " + way + " HTTP/1.1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean counted = !app.context().getBean(Seen.class).look().isEmpty();
        boolean missed = answer.status() == 400 || answer.status() == 404;
        softly.assertThat(counted || missed).as("%s: %s", way, answer.text()).isTrue();
        softly.assertThat(answer.status()).as(way).isLessThan(500);
        return answer.body().startsWith("handled");
    }

    @ParameterizedTest
    @EnumSource
    void caseIsADifferenceWhereTheApplicationMakesOne(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=/api/**"))) {
            assertThat(app.send("GET /API/orders HTTP/1.1").status()).isEqualTo(404);
            assertThat(app.context().getBean(Seen.class).look()).isEmpty();
        }
        try (RunningApplication app = stack.start(RuledApplication.Careless.class, rule("path=/api/**"))) {
            assertThat(app.send("GET /API/orders HTTP/1.1").body()).startsWith("handled");
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/API/orders");
        }
    }

    @ParameterizedTest
    @EnumSource
    void contextPathIsNoPartOfTheRule(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                RuledApplication.Application.class,
                rule("path=/api/**", "server.servlet.context-path=/shop", "spring.webflux.base-path=/shop"))) {
            assertThat(app.send("GET /shop/api/orders HTTP/1.1").body()).startsWith("handled");
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/api/orders");
            assertThat(app.send("GET /api/orders HTTP/1.1").status()).isEqualTo(404);
            assertThat(app.context().getBean(Seen.class).look()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SERVLET")
    void servletPathMayStandInTheRuleOrNot(WebStack stack) throws Exception {
        for (String path : List.of("/api/**", "/app/api/**")) {
            try (RunningApplication app = stack.start(
                    RuledApplication.Application.class, rule("path=" + path, "spring.mvc.servlet.path=/app"))) {
                assertThat(app.send("GET /app/api/orders HTTP/1.1").body()).startsWith("handled");
                assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/app/api/orders");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneWayToWriteEachPath(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=/**"))) {
            Seen seen = app.context().getBean(Seen.class);
            for (String way : List.of("/api/a%20b", "/api//a%20b;x=y", "/api/a%20b/", "/%61pi/a%20b")) {
                app.send("GET " + way + " HTTP/1.1");
                assertThat(seen.look()).as(way).isEqualTo("/api/a b");
            }
        }
    }
}
