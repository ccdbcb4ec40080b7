/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Controllers that wait for other threads, which know of no request: what refuses them there is answered as a refusal,
 * whatever handles every exception.
 */
@ExtendWith(OutputCaptureExtension.class)
class WaitingControllerTests {

    @ParameterizedTest
    @EnumSource
    void areRefusedByWhatOtherThreadsAreRefused(WebStack stack, CapturedOutput log) throws Exception {
        try (RunningApplication app = stack.start(Application.class, "ratelimit.store=local")) {
            for (String path : new String[] {"joined", "got", "thrown", "own"}) {
                String request = "GET /" + path + " HTTP/1.1";
                assertThat(app.send(request).body()).as(path).isEqualTo("done");

                assertThat(app.send(request).text()).as(path).isEqualTo(RefusalSpecification.denied(path));
            }
            assertThat(app.send("GET /failing HTTP/1.1").text()).contains("500").contains("advice: IllegalState");
            assertThat(app.send("GET /failing-own HTTP/1.1").text())
                    .contains("500")
                    .contains("own: IllegalState");
            assertThat(log).doesNotContain(" ERROR ", "\tat ");
        }
    }

    @EnableAutoConfiguration
    @Import({Limited.class, Waiting.class, WithHandler.class, CatchAll.class})
    static class Application {}

    @Service
    static class Limited {

        @RateLimited(name = "joined", permits = 1, period = "1h")
        public String joined() {
            return "done";
        }

        @RateLimited(name = "got", permits = 1, period = "1h")
        public String got() {
            return "done";
        }

        @RateLimited(name = "thrown", permits = 1, period = "1h")
        public String thrown() {
            return "done";
        }

        @RateLimited(name = "own", permits = 1, period = "1h")
        public String own() {
            return "done";
        }
    }

    @RestController
    static class Waiting {

        private final Limited limited;

        Waiting(Limited limited) {
            this.limited = limited;
        }

        @GetMapping("/joined")
        public String joined() {
            return CompletableFuture.supplyAsync(limited::joined).join();
        }

        @GetMapping("/got")
        public String got() throws ExecutionException, InterruptedException {
            return CompletableFuture.supplyAsync(limited::got).get();
        }

        @GetMapping("/thrown")
        public String thrown() throws Throwable {
            try {
                return CompletableFuture.supplyAsync(limited::thrown).get();
            } catch (ExecutionException failed) {
                throw failed.getCause();
            }
        }

        @GetMapping("/failing")
        public String failing() {
            throw new IllegalStateException("for the test");
        }
    }

    @RestController
    static class WithHandler {

        private final Limited limited;

        WithHandler(Limited limited) {
            this.limited = limited;
        }

        @GetMapping("/own")
        public String own() {
            return CompletableFuture.supplyAsync(limited::own).join();
        }

        @GetMapping("/failing-own")
        public String failing() {
            throw new IllegalStateException("for the test");
        }

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> any(Exception failure) {
            return ResponseEntity.internalServerError()
                    .body("own: " + failure.getClass().getSimpleName());
        }
    }

    @RestControllerAdvice
    static class CatchAll {

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> any(Exception failure) {
            return ResponseEntity.internalServerError()
                    .body("advice: " + failure.getClass().getSimpleName());
        }
    }
}
