/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static io.github.ratelimit.it.ExpectedAnswers.allowed;
import static io.github.ratelimit.it.ExpectedAnswers.denied;
import static io.github.ratelimit.it.ExpectedAnswers.spent;
import static io.github.ratelimit.it.ExpectedAnswers.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.server.WebFilter;

/** What scripts of other origins may read of limits. */
class CrossOriginTests {

    private static final String ORIGIN = "Origin: https://shop.example";
    private static final String ALLOWED = "\naccess-control-allow-origin: https://shop.example";
    private static final String VARY =
            "\nvary: Origin | Access-Control-Request-Method | Access-Control-Request-Headers";
    private static final String EXPOSE = "access-control-expose-headers: ";

    private static final SharedApplications RUNNING = new SharedApplications(stack -> stack.start(
            Application.class,
            "ratelimit.store=local",
            "ratelimit.defaults.algorithm=fixed-window",
            "ratelimit.http.headers=retry-after,x-ratelimit,ratelimit",
            "ratelimit.http.expose-headers=true",
            "ratelimit.limits.origin.anchor=first-call",
            "ratelimit.limits.late.permits=1",
            "ratelimit.limits.late.period=1h",
            "ratelimit.limits.late.anchor=first-call",
            "ratelimit.limits.early.permits=1",
            "ratelimit.limits.early.period=1h",
            "ratelimit.limits.early.anchor=first-call",
            "ratelimit.limits.lines.permits=9",
            "ratelimit.limits.lines.period=1h",
            "ratelimit.http.rules[0].path=/late",
            "ratelimit.http.rules[0].limits=late",
            "ratelimit.http.rules[1].path=/early",
            "ratelimit.http.rules[1].limits=early"));

    @AfterAll
    static void stop() {
        RUNNING.close();
    }

    @ParameterizedTest
    @EnumSource
    void ofAnnotatedHandlersAreShared(WebStack stack) throws Exception {
        RunningApplication app = RUNNING.on(stack);
        assertThat(text(app.send("OPTIONS /origin HTTP/1.1", ORIGIN, "Access-Control-Request-Method: GET")))
                .isEqualTo("200\naccess-control-allow-methods: GET" + ALLOWED
                        + "\naccess-control-expose-headers: X-Own\naccess-control-max-age: 1800" + VARY + "\n\n");
        assertThat(text(app.send("GET /origin HTTP/1.1", ORIGIN)))
                .isEqualTo(shared(allowed(200, "origin")).replace(EXPOSE, EXPOSE + "X-Own, ") + "done");
        assertThat(text(app.send("GET /origin HTTP/1.1", ORIGIN)))
                .isEqualTo(shared(denied("origin")).replace(EXPOSE, EXPOSE + "X-Own, ") + spent("origin"));
    }

    @ParameterizedTest
    @EnumSource
    void areAddedToEveryLineOfTheApplication(WebStack stack) throws Exception {
        RawAnswer answer = RUNNING.on(stack).send("GET /lines HTTP/1.1");

        String ours = "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit";
        assertThat(answer.header("Access-Control-Expose-Headers")).isEqualTo("X-One, X-Two, " + ours);
    }

    /** Rules stand before {@code @CrossOrigin}; a filter that stands before the rules tells browsers about refusals too. */
    @ParameterizedTest
    @EnumSource
    void ofRulesAreSharedByFiltersBeforeThem(WebStack stack) throws Exception {
        RunningApplication app = RUNNING.on(stack);

        assertThat(text(app.send("GET /late HTTP/1.1", ORIGIN))).isEqualTo(shared(allowed(200, "late")) + "done");
        assertThat(text(app.send("GET /late HTTP/1.1", ORIGIN))).isEqualTo(denied("late") + spent("late"));
        assertThat(text(app.send("GET /early HTTP/1.1", ORIGIN))).isEqualTo(shared(allowed(200, "early")) + "done");
        assertThat(text(app.send("GET /early HTTP/1.1", ORIGIN))).isEqualTo(shared(denied("early")) + spent("early"));
    }

    /** What the origin's scripts may read of the answer with this head. */
    private static String shared(String head) {
        return head.replace("\n" + EXPOSE, ALLOWED + "\n" + EXPOSE)
                .replace("\nx-ratelimit-limit", VARY + "\nx-ratelimit-limit");
    }

    @EnableAutoConfiguration
    @Import({Handlers.class, Lines.class, OnServlets.class, OnWebFlux.class})
    static class Application {}

    @RestController
    static class Handlers {

        @GetMapping({"/late", "/early"})
        @CrossOrigin(origins = "https://shop.example")
        public String shared() {
            return "done";
        }

        @GetMapping("/origin")
        @CrossOrigin(origins = "https://shop.example", exposedHeaders = "X-Own")
        @RateLimited(name = "origin", permits = 1, period = "1h")
        public String origin() {
            return "done";
        }
    }

    @RestController
    static class Lines {

        private final RateLimiter limiter;

        Lines(RateLimiter limiter) {
            this.limiter = limiter;
        }

        @GetMapping("/lines")
        public ResponseEntity<String> lines() {
            limiter.tryAcquire("lines", "somebody");
            return ResponseEntity.ok()
                    .header("Access-Control-Expose-Headers", "X-One", "X-Two")
                    .body("done");
        }
    }

    private static CorsConfiguration shop() {
        CorsConfiguration cors = new CorsConfiguration();
        cors.addAllowedOrigin("https://shop.example");
        return cors;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {

        @Bean
        FilterRegistrationBean<CorsFilter> early() {
            UrlBasedCorsConfigurationSource paths = new UrlBasedCorsConfigurationSource();
            paths.registerCorsConfiguration("/early", shop());
            FilterRegistrationBean<CorsFilter> filter = new FilterRegistrationBean<>(new CorsFilter(paths));
            filter.setUrlPatterns(List.of("/early"));
            filter.setOrder(-60);
            return filter;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux {

        @Bean
        @Order(-60)
        WebFilter early() {
            var paths = new org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource();
            paths.registerCorsConfiguration("/early", shop());
            WebFilter cors = new CorsWebFilter(paths);
            return (exchange, chain) -> exchange.getRequest().getPath().value().equals("/early")
                    ? cors.filter(exchange, chain)
                    : chain.filter(exchange);
        }
    }
}
