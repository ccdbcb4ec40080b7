/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.ReactiveRateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A decision reaches the headers of its request's answer, wherever and however it was made. */
class HeadersTests {

    private static final String FIRST_OF_TEN =
            "x-ratelimit-limit: 10\nx-ratelimit-remaining: 9\nx-ratelimit-reset: 360";

    @ParameterizedTest
    @CsvSource({
        "SERVLET, '/value /future /mono /flux /service /carried /service-later /service-mono /code /reactive-code'",
        "REACTIVE, '/value /future /mono /flux /service /carried /service-mono /code /reactive-code'",
    })
    void tellWhereTheCallerStands(WebStack stack, String paths) throws Exception {
        try (RunningApplication app = start(stack)) {
            for (String path : StringUtils.delimitedListToStringArray(paths, " ")) {
                RawAnswer answer = app.send("GET " + path + " HTTP/1.1");

                assertThat(answer.body()).as(path).contains("done");
                assertThat(answer.limitHeaders()).as(path).isEqualTo(FIRST_OF_TEN);
            }
            boolean virtual = Runtime.version().feature() >= 21;
            assertThat(app.send("GET /thread HTTP/1.1").body().startsWith("VirtualThread"))
                    .isEqualTo(virtual);
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsThatCostNothingAreToldWhereTheyStand(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack)) {
            assertThat(app.send("GET /cost?cost=0 HTTP/1.1").limitHeaders())
                    .isEqualTo("x-ratelimit-limit: 10\nx-ratelimit-remaining: 10\nx-ratelimit-reset: 0");
            assertThat(app.send("GET /cost?cost=10 HTTP/1.1").status()).isEqualTo(200);
            RawAnswer free = app.send("GET /cost?cost=0 HTTP/1.1");
            assertThat(free.status()).isEqualTo(200);
            assertThat(free.limitHeaders())
                    .isEqualTo("x-ratelimit-limit: 10\nx-ratelimit-remaining: 0\nx-ratelimit-reset: 3600");
            assertThat(app.send("GET /cost?cost=1 HTTP/1.1").status()).isEqualTo(429);
        }
    }

    private static RunningApplication start(WebStack stack) {
        return stack.start(
                Application.class,
                "ratelimit.store=local",
                "spring.threads.virtual.enabled=true",
                "ratelimit.defaults.permits=10",
                "ratelimit.defaults.period=1h",
                "ratelimit.limits.code.period=1h",
                "ratelimit.limits.reactive-code.period=1h");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Controller.class, Limited.class})
    static class Application {}

    @Service
    static class Limited {

        @RateLimited
        public String value() {
            return "done";
        }

        @RateLimited
        public String carried() {
            return "done";
        }

        @RateLimited
        public String later() {
            return "done";
        }

        @RateLimited
        public Mono<String> mono() {
            return Mono.just("done");
        }
    }

    @RestController
    static class Controller {

        private static final ContextSnapshotFactory SNAPSHOTS =
                ContextSnapshotFactory.builder().build();

        private final Limited limited;
        private final RateLimiter limiter;
        private final ReactiveRateLimiter reactive;

        Controller(Limited limited, RateLimiter limiter, ReactiveRateLimiter reactive) {
            this.limited = limited;
            this.limiter = limiter;
            this.reactive = reactive;
        }

        @GetMapping("/thread")
        public String thread() {
            return Thread.currentThread().toString();
        }

        @GetMapping("/value")
        @RateLimited
        public String value() {
            return "done";
        }

        @GetMapping("/future")
        @RateLimited
        public CompletableFuture<String> future() {
            return CompletableFuture.supplyAsync(
                    () -> "done", CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
        }

        @GetMapping("/mono")
        @RateLimited
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @GetMapping("/flux")
        @RateLimited
        public Flux<String> flux() {
            return Flux.just("do", "ne");
        }

        @GetMapping("/cost")
        @RateLimited(cost = "#cost")
        public String cost(@RequestParam int cost) {
            return "done";
        }

        @GetMapping("/service")
        public String service() {
            return limited.value();
        }

        @GetMapping("/carried")
        public Mono<String> carried() {
            return Mono.deferContextual(
                    context -> Mono.fromCallable(SNAPSHOTS.captureAll(context).wrap(limited::carried))
                            .subscribeOn(Schedulers.boundedElastic()));
        }

        @GetMapping("/service-later")
        public Callable<String> serviceLater() {
            return limited::later;
        }

        @GetMapping("/service-mono")
        public Mono<String> serviceMono() {
            return Mono.just("x").flatMap(x -> limited.mono());
        }

        @GetMapping("/code")
        public String code() {
            return limiter.tryAcquire("code", "somebody").passes() ? "done" : "denied";
        }

        @GetMapping("/reactive-code")
        public Mono<String> reactiveCode() {
            return reactive.tryAcquire("reactive-code", "somebody").map(decision -> "done");
        }
    }
}
