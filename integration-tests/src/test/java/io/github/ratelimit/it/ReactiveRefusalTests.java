/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Refusals in Spring WebFlux on Netty; the extra is a functional endpoint. */
class ReactiveRefusalTests extends RefusalSpecification {

    ReactiveRefusalTests() {
        super(WebStack.REACTIVE, Extras.class);
    }

    @Test
    void answersADenialBeforeABodyNobodySubscribedTo() throws Exception {
        answersTheSecondBodyWithAProblem("mono-body", "text/plain", "x".repeat(10), "10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"session", "elsewhere"})
    void answersADenialOfWhatOtherThreadsDo(String path, CapturedOutput log) throws Exception {
        answersTheSecondCallWithAProblem(path, log);
    }

    @Configuration(proxyBeanMethods = false)
    @Import({RefusedApplication.Extra.class, Parameters.class})
    static class Extras {

        @Bean
        RouterFunction<ServerResponse> extraRoute(RefusedApplication.Extra extra) {
            return RouterFunctions.route()
                    .GET("/extra", request -> ServerResponse.ok().bodyValue(extra.value()))
                    .build();
        }
    }

    @RestController
    static class Parameters {

        @PostMapping("/mono-body")
        @RateLimited(name = "mono-body", permits = 1, period = "1h")
        public Mono<String> body(@RequestBody Mono<String> body) {
            return body.map(text -> "" + text.length());
        }

        @GetMapping("/session")
        @RateLimited(name = "session", permits = 1, period = "1h")
        public String session(WebSession session) {
            return session.getAttributes().isEmpty() ? "done" : "full";
        }

        @GetMapping("/elsewhere")
        @RateLimited(name = "elsewhere", permits = 1, period = "1h")
        public Mono<String> elsewhere() {
            return Mono.just("done").subscribeOn(Schedulers.boundedElastic());
        }
    }
}
