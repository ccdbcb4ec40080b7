/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import io.github.ratelimit.annotation.RateLimited;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Refusals in Spring MVC on Tomcat; the extra is a functional endpoint. */
class ServletRefusalTests extends RefusalSpecification {

    ServletRefusalTests() {
        super(WebStack.SERVLET, Extras.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"callable", "deferred", "callable-service", "deferred-service"})
    void answersADenialOfWhatOtherThreadsDo(String path, CapturedOutput log) throws Exception {
        answersTheSecondCallWithAProblem(path, log);
    }

    @Configuration(proxyBeanMethods = false)
    @Import({RefusedApplication.Extra.class, Async.class, AsyncLimited.class})
    static class Extras {

        @Bean
        RouterFunction<ServerResponse> extraRoute(RefusedApplication.Extra extra) {
            return RouterFunctions.route()
                    .GET("/extra", request -> ServerResponse.ok().body(extra.value()))
                    .build();
        }
    }

    @RestController
    static class Async {

        private final AsyncLimited limited;

        Async(AsyncLimited limited) {
            this.limited = limited;
        }

        @GetMapping("/callable")
        @RateLimited(name = "callable", permits = 1, period = "1h")
        public Callable<String> callable() {
            return () -> "done";
        }

        @GetMapping("/deferred")
        @RateLimited(name = "deferred", permits = 1, period = "1h")
        public DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>();
            var unused = CompletableFuture.runAsync(() -> result.setResult("done"));
            return result;
        }

        @GetMapping("/callable-service")
        public Callable<String> callableService() {
            return limited::callable;
        }

        @GetMapping("/deferred-service")
        public DeferredResult<String> deferredService() {
            DeferredResult<String> result = new DeferredResult<>();
            var unused = limited.deferred().whenComplete((value, refused) -> {
                if (refused == null) {
                    result.setResult(value);
                } else {
                    result.setErrorResult(refused);
                }
            });
            return result;
        }
    }

    @Service
    static class AsyncLimited {

        @RateLimited(name = "callable-service", permits = 1, period = "1h")
        public String callable() {
            return "done";
        }

        @RateLimited(name = "deferred-service", permits = 1, period = "1h")
        public CompletableFuture<String> deferred() {
            return CompletableFuture.supplyAsync(() -> "done");
        }
    }
}
