/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/** Rules for paths, and attempts to get past them, one by one, alike on both stacks. */
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
        try (RunningApplication app = stack.start(Application.class, rule("path=/api/**"))) {
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
        try (RunningApplication app = stack.start(Application.class, rule("path=/api/**"))) {
            assertThat(app.send("GET /API/orders HTTP/1.1").status()).isEqualTo(404);
            assertThat(app.context().getBean(Seen.class).look()).isEmpty();
        }
        try (RunningApplication app = stack.start(Careless.class, rule("path=/api/**"))) {
            assertThat(app.send("GET /API/orders HTTP/1.1").body()).startsWith("handled");
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/API/orders");
        }
    }

    @ParameterizedTest
    @EnumSource
    void contextPathIsNoPartOfTheRule(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                Application.class,
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
            try (RunningApplication app =
                    stack.start(Application.class, rule("path=" + path, "spring.mvc.servlet.path=/app"))) {
                assertThat(app.send("GET /app/api/orders HTTP/1.1").body()).startsWith("handled");
                assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/app/api/orders");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneWayToWriteEachPath(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(Application.class, rule("path=/**"))) {
            Seen seen = app.context().getBean(Seen.class);
            for (String way : List.of("/api/a%20b", "/api//a%20b;x=y", "/api/a%20b/", "/%61pi/a%20b")) {
                app.send("GET " + way + " HTTP/1.1");
                assertThat(seen.look()).as(way).isEqualTo("/api/a b");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void methods(WebStack stack) throws Exception {
        try (RunningApplication app =
                stack.start(Application.class, rule("path=/**", "ratelimit.http.rules[0].methods=get,PUT"))) {
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
        try (RunningApplication app = stack.start(Application.class, rule("path=/**"))) {
            app.send(preflight);
            assertThat(app.context().getBean(Seen.class).look()).isEmpty();
        }
        try (RunningApplication app =
                stack.start(Application.class, rule("path=/**", "ratelimit.http.rules[0].methods=OPTIONS"))) {
            app.send(preflight);
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/api/orders");
        }
    }

    @ParameterizedTest
    @EnumSource
    void wideRulesLeaveOutStaticResourcesAndTheActuator(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(Application.class, rule("path=/**"))) {
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
    void rulesThatNameThemCountThem(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                Application.class,
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

    @ParameterizedTest
    @EnumSource
    void countsOncePerRequestWhateverBecomesOfIt(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(Application.class, rule("path=/**"))) {
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
                Application.class,
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
                Application.class,
                rule("path=/**", "ratelimit.http.rules[0].condition=#caller.header('X-Count') != null"))) {
            app.send("GET /api/orders HTTP/1.1");
            assertThat(app.context().getBean(Seen.class).look()).isEmpty();
            app.send("GET /api/orders HTTP/1.1", "X-Count: 1");
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/api/orders");
        }
    }

    /** The body is not read: the denial comes although the client never sends what it announced. */
    @ParameterizedTest
    @EnumSource
    void deniesBeforeTheBodyIsRead(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(
                Application.class,
                rule("path=/**", "ratelimit.http.rules[0].key=", "ratelimit.limits.all.permits=1"))) {
            app.send("GET /x HTTP/1.1");
            RawAnswer denied = app.sendWithBody(
                    "{not json", "POST /api/echo HTTP/1.1", "Content-Type: application/json", "Content-Length: 9");
            assertThat(denied.status()).isEqualTo(429);
            assertThat(denied.header("X-RateLimit-Remaining")).isEqualTo("0");
        }
    }

    /** The properties of an application with a rule; of two for one name the later holds. */
    private static String[] rule(String... more) {
        Map<String, String> properties = new LinkedHashMap<>();
        Stream<String> basic = Stream.of(
                "ratelimit.store=local",
                "ratelimit.limits.all.permits=1000",
                "ratelimit.limits.all.period=1h",
                "management.health.redis.enabled=false",
                "ratelimit.http.rules[0].limits=all",
                "ratelimit.http.rules[0].key=@seen.key(#caller.path)");
        Stream.concat(basic, Arrays.stream(more))
                .map(line -> line.startsWith("path=") ? "ratelimit.http.rules[0]." + line : line)
                .forEach(line -> properties.put(line.substring(0, line.indexOf('=')), line));
        return properties.values().toArray(String[]::new);
    }

    @EnableAutoConfiguration
    @Import(Handlers.class)
    static class Application {

        @Bean
        Seen seen() {
            return new Seen();
        }
    }

    /** An application that does not tell upper from lower case. */
    @Import({Application.class, Careless.OnServlets.class, Careless.OnWebFlux.class})
    @Configuration(proxyBeanMethods = false)
    static class Careless {

        static PathPatternParser parser() {
            PathPatternParser parser = new PathPatternParser();
            parser.setCaseSensitive(false);
            return parser;
        }

        static class OnServlets implements WebMvcConfigurer {

            @Override
            public void configurePathMatch(
                    org.springframework.web.servlet.config.annotation.PathMatchConfigurer configurer) {
                configurer.setPatternParser(parser());
            }
        }

        static class OnWebFlux implements WebFluxConfigurer {

            @Override
            public void configurePathMatching(org.springframework.web.reactive.config.PathMatchConfigurer configurer) {
                configurer.setUseCaseSensitiveMatch(false);
            }
        }
    }

    @RestController
    static class Handlers {

        @RequestMapping({"/api/{*rest}"})
        String api(@PathVariable String rest) {
            return "handled " + rest;
        }

        @RequestMapping("/api/echo")
        String echo(@RequestBody List<String> body) {
            return "handled " + body;
        }

        @RequestMapping("/fails")
        String fails() {
            throw new IllegalStateException("for the test");
        }

        @RequestMapping("/later")
        java.util.concurrent.CompletableFuture<String> later() {
            return java.util.concurrent.CompletableFuture.supplyAsync(() -> "handled later");
        }
    }
}
