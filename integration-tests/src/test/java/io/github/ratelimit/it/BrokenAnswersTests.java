/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What is refused after the answer has begun breaks it off: nothing is added to it, and it does not pass for a whole one. */
@ExtendWith(OutputCaptureExtension.class)
class BrokenAnswersTests {

    @ParameterizedTest
    @CsvSource({
        "SERVLET, false, '/stream /written /emitter /routed'",
        "SERVLET, true, '/stream /written /emitter /routed'",
        "REACTIVE, false, '/stream /routed'",
        "REACTIVE, true, '/stream /routed'"
    })
    void endWhereTheyAre(WebStack stack, boolean yields, String paths, CapturedOutput log) throws Exception {
        try (RunningApplication app = stack.start(
                Application.class,
                "ratelimit.store=local",
                "spring.application.name=broken",
                "ratelimit.http.yield-to-catch-all=" + yields)) {
            for (String path : StringUtils.delimitedListToStringArray(paths, " ")) {
                RawAnswer whole = app.send("GET " + path + " HTTP/1.1");
                RawAnswer broken = app.send("GET " + path + " HTTP/1.1");

                assertThat(whole.body()).as(path).contains("first").contains("second");
                assertThat(whole.whole()).as(path).isTrue();
                assertThat(broken.status()).as(path).isEqualTo(200);
                assertThat(broken.body()).as(path).contains("first").doesNotContain("second", "{", "handled");
                assertThat(broken.whole()).as(path).isFalse();
            }
        }
        assertThat(log.getAll()).doesNotContain("ERROR", "\tat ");
    }

    @EnableAutoConfiguration
    @Import({Limited.class, Streaming.class, OnServlets.class, OnWebFlux.class, Advice.class})
    static class Application {}

    @Service
    static class Limited {

        @RateLimited(permits = 1, period = "1h")
        public String written() {
            return "second";
        }

        @RateLimited(permits = 1, period = "1h")
        public String emitted() {
            return "second";
        }

        @RateLimited(permits = 1, period = "1h")
        public String routed() {
            return "second";
        }

        @RateLimited(permits = 1, period = "1h")
        public Mono<String> mono() {
            return Mono.just("second");
        }
    }

    @RestController
    static class Streaming {

        private final Limited limited;

        Streaming(Limited limited) {
            this.limited = limited;
        }

        @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        public Flux<String> stream() {
            return Flux.concat(Flux.just("first"), limited.mono());
        }
    }

    @RestController
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {

        private final Limited limited;

        OnServlets(Limited limited) {
            this.limited = limited;
        }

        @GetMapping("/written")
        void written(jakarta.servlet.http.HttpServletResponse response) throws java.io.IOException {
            response.getWriter().write("first ");
            response.flushBuffer();
            response.getWriter().write(limited.written());
        }

        @GetMapping("/emitter")
        SseEmitter emitter() throws java.io.IOException {
            SseEmitter emitter = new SseEmitter();
            emitter.send("first");
            new Thread(() -> finish(emitter)).start();
            return emitter;
        }

        @Bean
        org.springframework.web.servlet.function.RouterFunction<?> routed() {
            return org.springframework.web.servlet.function.RouterFunctions.route()
                    .GET(
                            "/routed",
                            request -> org.springframework.web.servlet.function.ServerResponse.sse(events -> {
                                new Thread(() -> finish(events)).start();
                            }))
                    .build();
        }

        private void finish(org.springframework.web.servlet.function.ServerResponse.SseBuilder events) {
            try {
                events.send("first");
                events.send(limited.routed());
                events.complete();
            } catch (Exception refused) {
                events.error(refused);
            }
        }

        private void finish(SseEmitter emitter) {
            try {
                emitter.send("first, flushed");
                emitter.send(limited.emitted());
                emitter.complete();
            } catch (Exception refused) {
                emitter.completeWithError(refused);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux {

        @Bean
        RouterFunction<ServerResponse> routed(Limited limited) {
            Flux<String> events = Flux.concat(Flux.just("first"), Mono.fromCallable(limited::routed));
            return RouterFunctions.route()
                    .GET(
                            "/routed",
                            request -> ServerResponse.ok()
                                    .contentType(MediaType.TEXT_EVENT_STREAM)
                                    .body(events, String.class))
                    .build();
        }
    }

    @RestControllerAdvice
    static class Advice {

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> handled(Exception failure) {
            return ResponseEntity.internalServerError().body("handled");
        }
    }
}
