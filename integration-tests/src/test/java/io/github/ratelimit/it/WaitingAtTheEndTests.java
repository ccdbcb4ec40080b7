/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.config.BlockingExecutionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Requests that wait for their permits when the application stops are answered: they may come again, to another instance. */
@ExtendWith(OutputCaptureExtension.class)
class WaitingAtTheEndTests {

    private static final List<String> PATHS =
            List.of("value", "service", "code", "code-async", "future", "mono", "flux", "blocking", "ruled");

    private static final String KEY = "all";

    /** Netty's threads stay until what other threads have answered is through; the usual two seconds would do as well. */
    private static final String ENDS_ALL_ANSWERS = "spring.reactor.netty.shutdown-quiet-period=500ms";

    private static final String STOPPING = """
            503
            content-type: application/problem+json
            retry-after: 1

            {"type":"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity",\
            "title":"Request cannot be satisfied due to temporary server capacity constraints",\
            "status":503,"detail":"The server is stopping and lets no request wait. Try again in 1 second."}""";

    @ParameterizedTest
    @EnumSource
    void areAnsweredWith503(WebStack stack, CapturedOutput log) throws Exception {
        Map<String, CompletableFuture<RawAnswer>> answers = waitingWhenItStops(stack);
        for (String path : PATHS) {
            assertThat(answer(answers, path).text()).as(path).isEqualTo(STOPPING);
        }
        assertThat(log.getAll()).doesNotContain(" ERROR ", "\tat ");
    }

    @ParameterizedTest
    @EnumSource
    void areLeftToTheApplicationWithoutProblemDetails(WebStack stack, CapturedOutput log) throws Exception {
        Map<String, CompletableFuture<RawAnswer>> answers =
                waitingWhenItStops(stack, "ratelimit.http.problem-details=false");
        for (String path : PATHS) {
            RawAnswer answer = answer(answers, path);
            assertThat(answer.status()).as(path).isEqualTo(503);
            assertThat(answer.limitHeaders()).as(path).isEqualTo("retry-after: 1");
            assertThat(answer.body()).contains("Service Unavailable").contains("\"path\":\"/" + path + "\"");
        }
        assertThat(log.getAll()).doesNotContain(" ERROR ", "\tat ");
    }

    private static RawAnswer answer(Map<String, CompletableFuture<RawAnswer>> answers, String path) throws Exception {
        return Objects.requireNonNull(answers.get(path)).get(10, TimeUnit.SECONDS);
    }

    /** One call to each limit passes, the next has to wait for 50 minutes; then the application stops. */
    private static Map<String, CompletableFuture<RawAnswer>> waitingWhenItStops(WebStack stack, String... more)
            throws Exception {
        Map<String, CompletableFuture<RawAnswer>> answers = new LinkedHashMap<>();
        try (RunningApplication app = start(stack, more)) {
            RateLimiter limiter = app.context().getBean(RateLimiter.class);
            for (String path : PATHS) {
                String request = "GET /" + path + " HTTP/1.1";
                assertThat(app.send(request).body()).isEqualTo("done");
                CompletableFuture<RawAnswer> answer = new CompletableFuture<>();
                answers.put(path, answer);
                Thread client = new Thread(() -> {
                    try {
                        answer.complete(app.send(request));
                    } catch (Exception | AssertionError failure) {
                        answer.completeExceptionally(failure);
                    }
                });
                client.start();
                long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
                while (resetAfter(limiter.peek(path, KEY)).compareTo(Duration.ofMinutes(60)) < 0) {
                    assertThat(System.nanoTime()).as(path).isLessThan(until);
                    Thread.sleep(5);
                }
            }
        }
        return answers;
    }

    /** More than the 50 minutes of one permit: somebody waits for a second one. */
    private static Duration resetAfter(Decision state) {
        return state instanceof Denied denied ? denied.resetAfter() : ((Allowed) state).resetAfter();
    }

    private static RunningApplication start(WebStack stack, String... more) {
        List<String> limits = PATHS.stream()
                .flatMap(path -> Stream.of(
                        "ratelimit.limits." + path + ".permits=1", "ratelimit.limits." + path + ".period=50m"))
                .toList();
        List<String> properties = Stream.concat(
                        Stream.of(
                                "ratelimit.store=local",
                                "spring.application.name=end",
                                "spring.lifecycle.timeout-per-shutdown-phase=10s",
                                "ratelimit.limits.ruled.max-wait=1h",
                                "ratelimit.limits.near.permits=100",
                                "ratelimit.limits.near.period=1h",
                                "ratelimit.http.rules[0].path=/ruled",
                                "ratelimit.http.rules[0].limits=near,ruled",
                                "ratelimit.http.rules[0].key='all'"),
                        limits.stream())
                .toList();
        List<String> last =
                Stream.concat(Stream.of(ENDS_ALL_ANSWERS), Stream.of(more)).toList();
        return stack.startWith(List.of(Application.class), properties, last);
    }

    @EnableAutoConfiguration
    @Import({Limited.class, Handlers.class, CatchAll.class, OnWebFlux.class})
    static class Application {}

    /** Plain values may wait there only on threads of the application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux implements WebFluxConfigurer {

        @Override
        public void configureBlockingExecution(BlockingExecutionConfigurer configurer) {
            configurer.setExecutor(new SimpleAsyncTaskExecutor("plain-"));
        }
    }

    @Service
    static class Limited {

        @RateLimited(name = "service", maxWait = "1h", key = "'all'")
        public String service() {
            return "done";
        }

        @RateLimited(name = "blocking", maxWait = "1h", key = "'all'")
        public String blocking() {
            return "done";
        }
    }

    @RestController
    static class Handlers {

        private final Limited limited;
        private final RateLimiter limiter;

        Handlers(Limited limited, RateLimiter limiter) {
            this.limited = limited;
            this.limiter = limiter;
        }

        @GetMapping("/value")
        @RateLimited(name = "value", maxWait = "1h", key = "'all'")
        public String value() {
            return "done";
        }

        @GetMapping("/service")
        @RateLimited(name = "near")
        public String service() {
            return limited.service();
        }

        @GetMapping("/code")
        public String code() {
            return limiter.acquire("code", KEY, 1, Duration.ofHours(1)).passes() ? "done" : "denied";
        }

        @GetMapping("/code-async")
        public CompletableFuture<String> codeAsync() {
            return limiter.acquireAsync("code-async", KEY, 1, Duration.ofHours(1))
                    .thenApply(decision -> decision.passes() ? "done" : "denied")
                    .toCompletableFuture();
        }

        @GetMapping("/future")
        @RateLimited(name = "future", maxWait = "1h", key = "'all'")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("done");
        }

        @GetMapping("/mono")
        @RateLimited(name = "mono", maxWait = "1h", key = "'all'")
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @GetMapping("/flux")
        @RateLimited(name = "flux", maxWait = "1h", key = "'all'")
        public Flux<String> flux() {
            return Flux.just("do", "ne");
        }

        @GetMapping("/blocking")
        @RateLimited(name = "near")
        public Mono<String> blocking() {
            return Mono.fromCallable(limited::blocking).subscribeOn(Schedulers.boundedElastic());
        }

        @GetMapping("/ruled")
        public String ruled() {
            return "done";
        }
    }

    /** Takes every failure for an error: this is none. */
    @RestControllerAdvice
    static class CatchAll {

        @ExceptionHandler(Exception.class)
        String any(Exception failure) {
            return "advice: " + failure.getClass().getSimpleName();
        }
    }
}
