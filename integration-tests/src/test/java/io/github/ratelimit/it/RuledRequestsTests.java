/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static io.github.ratelimit.it.RuledApplication.rule;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which requests to its paths a rule counts, and when. */
class RuledRequestsTests {

    @ParameterizedTest
    @EnumSource
    void methods(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                RuledApplication.Application.class, rule("path=/**", "ratelimit.http.rules[0].methods=get,PUT"))) {
            Seen seen = app.context().getBean(Seen.class);
            for (String method : List.of("GET", "HEAD", "PUT")) {
                app.send(method + " /api/orders HTTP/1.1");
                assertThat(seen.look()).as(method).isEqualTo("/api/orders");
            }
            for (String method : List.of("POST", "DELETE", "OPTIONS")) {
                app.send(method + " /api/orders HTTP/1.1");
                assertThat(seen.look()).as(method).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void preflightIsCountedOnlyByRulesThatSayOptions(WebStack stack) throws Exception {
        String[] preflight = {
            "OPTIONS /api/orders HTTP/1.1", "Origin: https://shop.example", "Access-Control-Request-Method: PUT"
        };
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=/**"))) {
            app.send(preflight);
            assertThat(app.context().getBean(Seen.class).look()).isEmpty();
        }
        try (RunningApplication app = stack.start(
                RuledApplication.Application.class, rule("path=/**", "ratelimit.http.rules[0].methods=OPTIONS"))) {
            app.send(preflight);
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/api/orders");
        }
    }

    @ParameterizedTest
    @EnumSource
    void wideRulesLeaveOutStaticResourcesAndTheActuator(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=/**"))) {
            Seen seen = app.context().getBean(Seen.class);
            assertThat(app.send("GET /seen.txt HTTP/1.1").body()).startsWith("a static resource");
            assertThat(seen.look()).isEmpty();
            assertThat(app.send("GET /actuator/health HTTP/1.1").status()).isEqualTo(200);
            assertThat(seen.look()).isEmpty();
            for (String other : List.of(
                    "/not-there.txt",
                    "/nothing",
                    "/actuators",
                    "/seen.txt/..;/x",
                    "//seen.txt",
                    "/seen.txt;x",
                    "/api/seen.txt")) {
                app.send("GET " + other + " HTTP/1.1");
                assertThat(seen.look()).as(other).isNotEmpty();
            }
            app.send("POST /seen.txt HTTP/1.1");
            assertThat(seen.look()).isEqualTo("/seen.txt");
        }
    }

    @ParameterizedTest
    @EnumSource
    void wideRulesCountWhatTheApplicationAnswersBelowTheActuatorsPath(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                RuledApplication.Application.class,
                rule("path=/**", "management.endpoints.web.base-path=/api/manage"))) {
            Seen seen = app.context().getBean(Seen.class);
            for (String path : List.of("/api/manage", "/api/manage/health")) {
                assertThat(app.send("GET " + path + " HTTP/1.1").body())
                        .as(path)
                        .doesNotContain("handled");
                assertThat(seen.look()).as(path).isEmpty();
            }
            assertThat(app.send("GET /api/manage/nothing HTTP/1.1").body()).contains("handled");
            assertThat(seen.look()).isEqualTo("/api/manage/nothing");
        }
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=/**"))) {
            assertThat(app.send("GET /actuator/nothing HTTP/1.1").status()).isEqualTo(404);
            assertThat(app.context().getBean(Seen.class).look()).isEmpty();
        }
    }

    /** A probe that is refused has the application restarted. */
    @ParameterizedTest
    @EnumSource
    void wideRulesLeaveOutHealthWhereverItIs(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                RuledApplication.Application.class,
                rule(
                        "path=/**",
                        "management.endpoint.health.probes.enabled=true",
                        "management.endpoint.health.probes.add-additional-paths=true",
                        "management.endpoint.health.group.ours.include=ping",
                        "management.endpoint.health.group.ours.additional-path=server:/healthy"))) {
            Seen seen = app.context().getBean(Seen.class);
            for (String path : List.of("/livez", "/readyz", "/healthy")) {
                assertThat(app.send("GET " + path + " HTTP/1.1").status())
                        .as(path)
                        .isEqualTo(200);
                assertThat(seen.look()).as(path).isEmpty();
            }
            app.send("GET /livezz HTTP/1.1");
            assertThat(seen.look()).isEqualTo("/livezz");
        }
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=/**"))) {
            app.send("GET /livez HTTP/1.1");
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/livez");
        }
    }

    /** As Spring Boot's reference has it: probes ask for /healthcheck. Whatever else is at the root is the application's. */
    @ParameterizedTest
    @CsvSource({
        "SERVLET,  '',    '',   ratelimit.http.ipv6-prefix=64",
        "REACTIVE, '',    '',   ratelimit.http.ipv6-prefix=64",
        "SERVLET,  /shop, '',   server.servlet.context-path=/shop",
        "REACTIVE, /shop, '',   spring.webflux.base-path=/shop",
        "SERVLET,  /app,  /app, spring.mvc.servlet.path=/app",
    })
    void wideRulesLeaveOutTheEndpointsOfAnActuatorWithoutAPath(
            WebStack stack, String prefix, String within, String property) throws Exception {
        try (RunningApplication app = stack.start(
                RuledApplication.Application.class,
                rule(
                        "path=/**",
                        property,
                        "management.endpoints.web.base-path=/",
                        "management.endpoints.web.exposure.include=health,info",
                        "management.endpoints.web.path-mapping.health=healthcheck",
                        "management.endpoints.web.path-mapping.info=api/info",
                        "management.endpoint.health.probes.enabled=true",
                        "management.endpoint.health.probes.add-additional-paths=true"))) {
            Seen seen = app.context().getBean(Seen.class);
            for (String path : List.of("/healthcheck", "/healthcheck/liveness", "/livez", "/api/info")) {
                RawAnswer answer = app.send("GET " + prefix + path + " HTTP/1.1");
                assertThat(answer.status()).as(path).isEqualTo(200);
                assertThat(answer.body()).as(path).doesNotContain("handled");
                assertThat(seen.look()).as(path).isEmpty();
            }
            for (String path : List.of("/healthchecks", "/health", "/info", "/actuator/health")) {
                assertThat(app.send("GET " + prefix + path + " HTTP/1.1").status())
                        .as(path)
                        .isEqualTo(404);
                assertThat(seen.look()).as(path).isEqualTo(within + path);
            }
            app.send("GET " + prefix + "/ HTTP/1.1");
            assertThat(seen.look()).isEqualTo(within.isEmpty() ? "/" : within);
            assertThat(app.send("GET " + prefix + "/api/info/x HTTP/1.1").body())
                    .contains("handled");
            assertThat(seen.look()).isEqualTo(within + "/api/info/x");
        }
    }

    @ParameterizedTest
    @EnumSource
    void rulesThatNameAnEndpointAtTheRootCountIt(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                RuledApplication.Application.class, rule("path=/health/**", "management.endpoints.web.base-path=/"))) {
            assertThat(app.send("GET /health HTTP/1.1").status()).isEqualTo(200);
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/health");
        }
    }

    @ParameterizedTest
    @EnumSource
    void rulesThatNameThemCountThem(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                RuledApplication.Application.class,
                rule(
                        "path=/actuator/**",
                        "ratelimit.http.rules[1].path=/seen.txt",
                        "ratelimit.http.rules[1].limits=all",
                        "ratelimit.http.rules[1].key=@seen.key(#caller.path)"))) {
            app.send("GET /seen.txt HTTP/1.1");
            app.send("GET /actuator/health HTTP/1.1");
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/seen.txt /actuator/health");
        }
    }

    /** Only what means the whole application leaves anything out. */
    @ParameterizedTest
    @CsvSource({
        "SERVLET,  /admin/**,    /admin/manage/health, management.endpoints.web.base-path=/admin/manage",
        "REACTIVE, /admin/**,    /admin/manage/health, management.endpoints.web.base-path=/admin/manage",
        "SERVLET,  /actuator/**, /app/actuator/health, spring.mvc.servlet.path=/app",
        "SERVLET,  /app/**,      /app/actuator/health, spring.mvc.servlet.path=/app",
    })
    void rulesThatAreNotWideCountTheActuatorWhereverItIs(WebStack stack, String rule, String path, String property)
            throws Exception {
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=" + rule, property))) {
            assertThat(app.send("GET " + path + " HTTP/1.1").status()).isEqualTo(200);
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo(path);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SERVLET,  /shop, server.servlet.context-path=/shop",
        "REACTIVE, /shop, spring.webflux.base-path=/shop",
        "SERVLET,  /app,  spring.mvc.servlet.path=/app",
    })
    void wideRulesLeaveTheseOutBelowAPrefix(WebStack stack, String prefix, String property) throws Exception {
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=/**", property))) {
            Seen seen = app.context().getBean(Seen.class);
            assertThat(app.send("GET " + prefix + "/seen.txt HTTP/1.1").body()).startsWith("a static resource");
            assertThat(app.send("GET " + prefix + "/actuator/health HTTP/1.1").status())
                    .isEqualTo(200);
            assertThat(seen.look()).isEmpty();
            app.send("GET " + prefix + "/not-there.txt HTTP/1.1");
            assertThat(seen.look()).endsWith("/not-there.txt");
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsOncePerRequestWhateverBecomesOfIt(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(RuledApplication.Application.class, rule("path=/**"))) {
            Seen seen = app.context().getBean(Seen.class);
            assertThat(app.send("GET /fails HTTP/1.1").status()).isEqualTo(500);
            assertThat(seen.look()).isEqualTo("/fails");
            assertThat(app.send("GET /later HTTP/1.1").body()).isEqualTo("handled later");
            assertThat(seen.look()).isEqualTo("/later");
            assertThat(app.send("GET /missing HTTP/1.1").status()).isEqualTo(404);
            assertThat(seen.look()).isEqualTo("/missing");
        }
    }

    @ParameterizedTest
    @EnumSource
    void allRulesOfARequestAreDecidedTogether(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                RuledApplication.Application.class,
                rule(
                        "path=/api/**",
                        "ratelimit.http.rules[0].key='everybody'",
                        "ratelimit.limits.few.permits=1",
                        "ratelimit.limits.few.period=1h",
                        "ratelimit.http.rules[1].path=/api/{what}",
                        "ratelimit.http.rules[1].limits=few"))) {
            RawAnswer first = app.send("GET /api/orders HTTP/1.1");
            assertThat(first.header("X-RateLimit-Remaining")).isEqualTo("0");
            for (int i = 0; i < 3; i++) {
                assertThat(app.send("GET /api/orders HTTP/1.1").status()).isEqualTo(429);
            }
            RawAnswer other = app.send("GET /api/orders/deeper HTTP/1.1");
            assertThat(other.header("X-RateLimit-Remaining"))
                    .as("denied calls took nothing")
                    .isEqualTo("998");
        }
    }

    @ParameterizedTest
    @EnumSource
    void condition(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                RuledApplication.Application.class,
                rule("path=/**", "ratelimit.http.rules[0].condition=#caller.header('X-Count') != null"))) {
            app.send("GET /api/orders HTTP/1.1");
            assertThat(app.context().getBean(Seen.class).look()).isEmpty();
            app.send("GET /api/orders HTTP/1.1", "X-Count: 1");
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/api/orders");
        }
    }

    /** The denial comes although nobody reads the body, and the next request on the connection is answered. */
    @ParameterizedTest
    @EnumSource
    void deniesBeforeTheBodyIsRead(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                        RuledApplication.Application.class,
                        rule(
                                "path=/api/**",
                                "ratelimit.http.rules[0].key='everyone'",
                                "ratelimit.limits.all.permits=1",
                                "server.netty.max-keep-alive-requests=-1"));
                KeptConnection connection = new KeptConnection(app.port())) {
            app.send("GET /api/x HTTP/1.1");
            RawAnswer denied = app.sendWithBody(
                    "{not json", "POST /api/echo HTTP/1.1", "Content-Type: application/json", "Content-Length: 9");
            assertThat(denied.status()).isEqualTo(429);
            assertThat(denied.header("X-RateLimit-Remaining")).isEqualTo("0");

            connection.send(
                    "x".repeat(1_000_000),
                    "POST /api/echo HTTP/1.1",
                    "Content-Type: application/json",
                    "Content-Length: 1000000");
            assertThat(connection.status()).isEqualTo("429");
            connection.send("", "GET /later HTTP/1.1");
            assertThat(connection.status()).isEqualTo("200");
        }
    }
}
