/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static io.github.ratelimit.it.RuledApplication.rule;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
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
            "/api%5corders");

    @ParameterizedTest
    @EnumSource
    void nothingReachesTheHandlerUncounted(WebStack stack) throws Exception {
        SoftAssertions softly = new SoftAssertions();
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=/api/**"))) {
            Seen seen = app.context().getBean(Seen.class);
            int handled = 0;
            for (String way : WAYS_AROUND) {
                RawAnswer answer = app.send("GET " + way + " HTTP/1.1");
                boolean counted = !seen.look().isEmpty();
                boolean missed = answer.status() == 400 || answer.status() == 404;
                softly.assertThat(counted || missed)
                        .as("%s: %s", way, answer.text())
                        .isTrue();
                softly.assertThat(answer.status()).as(way).isLessThan(500);
                handled += answer.body().startsWith("handled") ? 1 : 0;
            }
            softly.assertAll();
            assertThat(handled).isGreaterThan(WAYS_AROUND.size() / 3);
        }
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
