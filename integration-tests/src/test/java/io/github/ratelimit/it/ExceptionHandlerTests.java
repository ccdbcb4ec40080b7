/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import reactor.core.publisher.Mono;

/** Which of an application's exception handlers take a refusal, and that all others work as ever beside it. */
@ExtendWith(OutputCaptureExtension.class)
class ExceptionHandlerTests {

    @ParameterizedTest
    @EnumSource
    void handleWhatTheyWereWrittenFor(WebStack stack, CapturedOutput log) throws Exception {
        try (RunningApplication app = start(stack)) {
            assertRefused(app, "/plain", "a problem");
            assertRefused(app, "/plain-mono", "a problem");
            assertRefused(app, "/local-catch-all", "a problem");
            assertRefused(app, "/local-catch-all-mono", "a problem");
            assertRefused(app, "/local", "429 local");
            assertRefused(app, "/local-mono", "429 local");
            assertRefused(app, "/root", "429 root");
            assertRefused(app, "/status", "409 ");
            assertRefused(app, "/advised", "429 advice");
            assertRefused(app, "/advised-mono", "429 advice");

            assertThat(text(app.send("GET /key?tenant= HTTP/1.1"))).isEqualTo("400 a problem");
            assertThat(text(app.send("GET /local-key?tenant= HTTP/1.1"))).isEqualTo("400 local key");
            assertThat(text(app.send("GET /failing HTTP/1.1"))).isEqualTo("500 local catch-all: IllegalStateException");
            assertThat(text(app.send("GET /failing-plain HTTP/1.1"))).isEqualTo("500 catch-all: IllegalStateException");
            assertThat(text(app.send("GET /swallowing HTTP/1.1"))).isEqualTo("200 done");
            assertThat(text(app.send("GET /swallowing HTTP/1.1")))
                    .isEqualTo("500 local catch-all: IllegalStateException");
            assertThat(text(app.send("GET /swallowing-mono HTTP/1.1")))
                    .isEqualTo("500 local catch-all: IllegalStateException");
            assertThat(log).doesNotContain("ERROR", "\tat ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void haveEverythingWhereTheyAreYieldedTo(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack, "ratelimit.http.yield-to-catch-all=true")) {
            assertRefused(app, "/plain", "500 catch-all: RateLimitExceededException");
            assertRefused(app, "/plain-mono", "500 catch-all: RateLimitExceededException");
            assertRefused(app, "/local-catch-all", "500 local catch-all: RateLimitExceededException");
            assertRefused(app, "/local", "429 local");
        }
    }

    /** Whoever cannot be answered by a handler for denials is not left to one for everything. */
    @ParameterizedTest
    @EnumSource
    void handleOnlyWhatTheyProduce(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack)) {
            app.send("GET /produced HTTP/1.1");
            for (String accepted : List.of("text/plain", "*/*", "application/json;q=0.1, text/plain")) {
                assertThat(text(app.send("GET /produced HTTP/1.1", "Accept: " + accepted)))
                        .as(accepted)
                        .isEqualTo("429 own text");
            }
            assertThat(text(app.send("GET /produced HTTP/1.1", "Accept: application/json")))
                    .isEqualTo("429 a problem");
        }
    }

    private static void assertRefused(RunningApplication app, String path, String expected) throws Exception {
        assertThat(text(app.send("GET " + path + " HTTP/1.1"))).as(path).isEqualTo("200 done");

        RawAnswer refused = app.send("GET " + path + " HTTP/1.1");

        assertThat(text(refused)).as(path).isEqualTo(expected.equals("a problem") ? "429 a problem" : expected);
        assertThat(refused.header("x-ratelimit-remaining")).as(path).isEqualTo("0");
        assertThat(refused.header("retry-after")).as(path).isEqualTo(refused.status() == 429 ? "3600" : null);
    }

    private static String text(RawAnswer answer) {
        boolean problem = "application/problem+json".equals(answer.header("content-type"));
        return answer.status() + " " + (problem ? "a problem" : answer.body());
    }

    private static RunningApplication start(WebStack stack, String... properties) {
        return stack.startWith(
                List.of(Application.class),
                List.of("ratelimit.store=local", "ratelimit.defaults.permits=1", "ratelimit.defaults.period=1h"),
                List.of(properties));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({
        Service1.class,
        Plain.class,
        LocalCatchAll.class,
        Local.class,
        Root.class,
        Status.class,
        Produced.class,
        Advised.class,
        CatchAllAdvice.class,
        SpecificAdvice.class
    })
    static class Application {}

    @RestControllerAdvice
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class CatchAllAdvice {

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> any(Exception failure) {
            return ResponseEntity.status(500)
                    .body("catch-all: " + failure.getClass().getSimpleName());
        }
    }

    @RestControllerAdvice(assignableTypes = Advised.class)
    static class SpecificAdvice {

        @ExceptionHandler
        ResponseEntity<String> denied(RateLimitExceededException denial) {
            return ResponseEntity.status(429).body("advice");
        }
    }

    @Service
    static class Service1 {

        @RateLimited
        public void swallowed() {}

        @RateLimited
        public Mono<String> swallowedMono() {
            return Mono.just("done");
        }
    }

    @RestController
    static class Plain {

        @GetMapping("/plain")
        @RateLimited
        public String value() {
            return "done";
        }

        @GetMapping("/plain-mono")
        @RateLimited
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @GetMapping("/key")
        @RateLimited(key = "#tenant")
        public String key(@RequestParam String tenant) {
            return "done";
        }

        @GetMapping("/failing-plain")
        public String failing() {
            throw new IllegalStateException();
        }
    }

    @RestController
    static class LocalCatchAll {

        private final Service1 service;

        LocalCatchAll(Service1 service) {
            this.service = service;
        }

        @GetMapping("/local-catch-all")
        @RateLimited
        public String value() {
            return "done";
        }

        @GetMapping("/local-catch-all-mono")
        @RateLimited
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @GetMapping("/failing")
        public String failing() {
            throw new IllegalStateException();
        }

        @GetMapping("/swallowing")
        public String swallowing() {
            try {
                service.swallowed();
                return "done";
            } catch (RateLimitExceededException swallowed) {
                throw new IllegalStateException("something else");
            }
        }

        @GetMapping("/swallowing-mono")
        public Mono<String> swallowingMono() {
            return service.swallowedMono()
                    .then(service.swallowedMono())
                    .onErrorMap(RateLimitExceededException.class, swallowed -> new IllegalStateException("else"));
        }

        @ExceptionHandler(Throwable.class)
        public ResponseEntity<String> any(Throwable failure) {
            return ResponseEntity.status(500)
                    .body("local catch-all: " + failure.getClass().getSimpleName());
        }
    }

    @RestController
    static class Local {

        @GetMapping("/local")
        @RateLimited
        public String value() {
            return "done";
        }

        @GetMapping("/local-mono")
        @RateLimited
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @GetMapping("/local-key")
        @RateLimited(key = "#tenant")
        public String key(@RequestParam String tenant) {
            return "done";
        }

        @ExceptionHandler
        public ResponseEntity<String> denied(RateLimitExceededException denial) {
            return ResponseEntity.status(429).body("local");
        }

        @ExceptionHandler
        public ResponseEntity<String> noKey(InvalidRateLimitKeyException noKey) {
            return ResponseEntity.badRequest().body("local key");
        }
    }

    @RestController
    static class Root {

        @GetMapping("/root")
        @RateLimited
        public String value() {
            return "done";
        }

        @ExceptionHandler
        public ResponseEntity<String> denied(RateLimitException denial) {
            return ResponseEntity.status(429).body("root");
        }
    }

    @RestController
    static class Status {

        @GetMapping("/status")
        @RateLimited
        public String value() {
            return "done";
        }

        @ExceptionHandler(RateLimitExceededException.class)
        @ResponseStatus(HttpStatus.CONFLICT)
        public void denied() {}
    }

    @RestController
    static class Produced {

        @GetMapping("/produced")
        @RateLimited
        public String value() {
            return "done";
        }

        @ExceptionHandler(exception = RateLimitExceededException.class, produces = "text/plain")
        public ResponseEntity<String> denied() {
            return ResponseEntity.status(429).contentType(MediaType.TEXT_PLAIN).body("own text");
        }

        @ExceptionHandler(Exception.class)
        public ResponseEntity<String> any() {
            return ResponseEntity.status(500).body("catch-all");
        }
    }

    @RestController
    static class Advised {

        @GetMapping("/advised")
        @RateLimited
        public String value() {
            return "done";
        }

        @GetMapping("/advised-mono")
        @RateLimited
        public Mono<String> mono() {
            return Mono.just("done");
        }
    }
}
