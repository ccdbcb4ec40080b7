/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.ui.Model;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A limited controller: each request takes one permit, whatever else of the class Spring calls for it. */
class LimitedControllerClassTests {

    @ParameterizedTest
    @EnumSource
    void takesOnePermitForEachRequest(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack, Application.class)) {
            for (int remaining = 2; remaining >= 0; remaining--) {
                RawAnswer allowed = app.send("GET /get?what=this HTTP/1.1");
                assertThat(allowed.status() + " " + allowed.body()).isEqualTo("200 this by the model");
                assertThat(allowed.header("x-ratelimit-remaining")).isEqualTo("" + remaining);
            }
            for (int i = 0; i < 2; i++) {
                RawAnswer denied = app.send("GET /get?what=this HTTP/1.1");
                assertThat(denied.status() + " " + denied.body()).isEqualTo("429 handled by the class");
            }
        }
    }

    /** Advice has no requests of its own, so it is limited as any other class. */
    @ParameterizedTest
    @EnumSource
    void isNoAdvice(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack, LimitedAdvice.class, "ratelimit.limits.shop.permits=1")) {
            assertThat(app.send("GET /free HTTP/1.1").status()).isEqualTo(200);
            assertThat(app.send("GET /free HTTP/1.1").status()).isEqualTo(429);
        }
    }

    private static RunningApplication start(WebStack stack, Class<?> application, String... more) {
        return stack.startWith(
                List.of(application),
                List.of("ratelimit.store=local", "ratelimit.limits.shop.permits=3", "ratelimit.limits.shop.period=1h"),
                List.of(more));
    }

    @EnableAutoConfiguration
    @Import(Limited.class)
    static class Application {}

    @RestController
    @RateLimited("shop")
    static class Limited {

        @InitBinder
        public void bind(WebDataBinder binder) {
            binder.setDisallowedFields("none");
        }

        @ModelAttribute
        public void model(Model model) {
            model.addAttribute("by", "by the model");
        }

        @GetMapping("/get")
        public String get(@RequestParam String what, Model model) {
            return what + " " + model.getAttribute("by");
        }

        @ExceptionHandler
        public ResponseEntity<String> denied(RateLimitExceededException denial) {
            return ResponseEntity.status(429).body("handled by the class");
        }
    }

    @EnableAutoConfiguration
    @Import({Advice.class, Free.class})
    static class LimitedAdvice {}

    @ControllerAdvice
    @RateLimited("shop")
    static class Advice {

        @ModelAttribute
        public void model(Model model) {
            model.addAttribute("by", "by advice");
        }
    }

    @RestController
    static class Free {

        @GetMapping("/free")
        public String get() {
            return "done";
        }
    }
}
