/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.annotation.RateLimited;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Service;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** An application's own handler of WebFlux for every exception, ahead of Spring Boot's, has all failures but denials. */
@ExtendWith(OutputCaptureExtension.class)
class WebExceptionHandlersTests {

    private static final List<String> REFUSING = List.of("/value", "/ruled", "/filtered");

    @ParameterizedTest
    @ValueSource(classes = {BeforeErrorPages.class, BeforeEverything.class})
    void haveWhatIsNoDenial(Class<?> handler, CapturedOutput log) throws Exception {
        try (RunningApplication app = start(handler)) {
            for (String path : REFUSING) {
                RawAnswer refused = refused(app, path);

                assertThat(refused.status()).as(path).isEqualTo(429);
                assertThat(refused.header("content-type")).as(path).isEqualTo("application/problem+json");
                assertThat(refused.header("retry-after")).as(path).isEqualTo("3600");
            }
            assertThat(text(app.send("GET /keyless HTTP/1.1"))).isEqualTo("400 say who you are");
            assertThat(text(app.send("GET /failing HTTP/1.1"))).isEqualTo("500 IllegalStateException");
            assertThat(text(app.send("GET /failing-filter HTTP/1.1"))).isEqualTo("500 IllegalArgumentException");
            assertThat(text(app.send("GET /nowhere HTTP/1.1"))).startsWith("404 ");
        }
        assertThat(log).doesNotContain("ERROR", "\tat ");
    }

    @ParameterizedTest
    @ValueSource(classes = {BeforeErrorPages.class, BeforeEverything.class})
    void writeTheErrorPageOfADenial(Class<?> handler) throws Exception {
        try (RunningApplication app = start(handler)) {
            for (String path : REFUSING) {
                refused(app, path);
                RawAnswer page = app.send("GET " + path + " HTTP/1.1", "Accept: text/html");

                assertThat(text(page)).as(path).isEqualTo("429 ResponseStatusException");
                assertThat(page.header("retry-after")).as(path).isEqualTo("3600");
            }
        }
        try (RunningApplication app = start(handler, "ratelimit.http.problem-details=false")) {
            for (String path : REFUSING) {
                assertThat(text(refused(app, path))).as(path).isEqualTo("429 ResponseStatusException");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {BeforeErrorPages.class, BeforeEverything.class})
    void haveDenialsWhereTheyAreYieldedTo(Class<?> handler) throws Exception {
        try (RunningApplication app = start(handler, "ratelimit.http.yield-to-catch-all=true")) {
            for (String path : REFUSING) {
                assertThat(text(refused(app, path))).as(path).isEqualTo("500 RateLimitExceededException");
            }
        }
    }

    private static RawAnswer refused(RunningApplication app, String path) throws Exception {
        assertThat(text(app.send("GET " + path + " HTTP/1.1"))).as(path).isEqualTo("200 done");
        return app.send("GET " + path + " HTTP/1.1");
    }

    private static String text(RawAnswer answer) {
        return answer.status() + " " + answer.body();
    }

    private static RunningApplication start(Class<?> handler, String... more) {
        return WebStack.REACTIVE.startWith(
                List.of(Application.class, handler),
                List.of(
                        "ratelimit.store=local",
                        "ratelimit.limits.few.permits=1",
                        "ratelimit.limits.few.period=1h",
                        "ratelimit.http.rules[0].path=/ruled",
                        "ratelimit.http.rules[0].limits=few",
                        "ratelimit.http.rules[1].path=/keyless",
                        "ratelimit.http.rules[1].limits=few",
                        "ratelimit.http.rules[1].key=#caller.header('X-Key')"),
                List.of(more));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({OneAnHour.class, Handlers.class, Advice.class, Limited.class})
    static class Application {

        @Bean
        WebFilter limiting(Limited limited) {
            return (exchange, chain) -> switch (exchange.getRequest().getPath().value()) {
                case "/filtered" -> limited.filtered().then(chain.filter(exchange));
                case "/failing-filter" -> Mono.error(new IllegalArgumentException("for the test"));
                default -> chain.filter(exchange);
            };
        }
    }

    @Service
    static class Limited {

        @RateLimited(name = "filtered", permits = 1, period = "1h")
        public Mono<Void> filtered() {
            return Mono.empty();
        }
    }

    @RestController
    static class Handlers {

        @GetMapping({"/ruled", "/filtered", "/keyless"})
        String done() {
            return "done";
        }

        @GetMapping("/failing")
        String failing() {
            throw new IllegalStateException("for the test");
        }
    }

    @RestControllerAdvice
    static class Advice {

        @ExceptionHandler
        @ResponseStatus(HttpStatus.BAD_REQUEST)
        String keyless(InvalidRateLimitKeyException keyless) {
            return "say who you are";
        }
    }

    /** Answers whatever comes. */
    private static class Handling implements WebExceptionHandler {

        @Override
        public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
            ServerHttpResponse response = exchange.getResponse();
            response.setStatusCode(
                    failure instanceof ErrorResponse known ? known.getStatusCode() : HttpStatus.INTERNAL_SERVER_ERROR);
            byte[] text = failure.getClass().getSimpleName().getBytes(StandardCharsets.UTF_8);
            return response.writeWith(Mono.just(response.bufferFactory().wrap(text)));
        }
    }

    @Order(-2)
    static class BeforeErrorPages extends Handling {}

    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class BeforeEverything extends Handling {}
}
