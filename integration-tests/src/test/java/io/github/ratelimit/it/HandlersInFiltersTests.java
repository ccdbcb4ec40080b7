/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.reactive.result.view.AbstractView;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The application's handlers for denials also have those of path rules: with a body, and with a view. */
@ExtendWith(OutputCaptureExtension.class)
class HandlersInFiltersTests {

    @ParameterizedTest
    @EnumSource
    void haveWhatARuleRefuses(WebStack stack, CapturedOutput log) throws Exception {
        try (RunningApplication app = start(stack, "-50")) {
            assertThat(app.send("GET /annotated HTTP/1.1").body()).isEqualTo("done");
            assertView(app.send("GET /annotated HTTP/1.1"), "annotated");
            assertThat(app.send("GET /ruled HTTP/1.1").body()).isEqualTo("done");
            assertView(app.send("GET /ruled HTTP/1.1"), "few");

            RawAnswer keyless = app.send("GET /keyed HTTP/1.1");
            assertThat(keyless.status() + " " + keyless.body()).isEqualTo("400 say who you are");
        }
        assertThat(log.getAll()).doesNotContain(" ERROR ", "\tat ");
    }

    @ParameterizedTest
    @EnumSource
    void haveItBeforeAllOtherFilters(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack, "-2000")) {
            app.send("GET /ruled HTTP/1.1");
            assertView(app.send("GET /ruled HTTP/1.1"), "few");
        }
    }

    private static void assertView(RawAnswer answer, String limit) {
        assertThat(answer.text().replaceAll("content-type: .*\n|content-language: .*\n", ""))
                .isEqualTo("""
                429
                retry-after: 3600
                x-ratelimit-limit: 1
                x-ratelimit-remaining: 0
                x-ratelimit-reset: 3600

                <p>%s is spent</p>""".formatted(limit));
    }

    private static RunningApplication start(WebStack stack, String order) {
        return stack.start(
                Application.class,
                "ratelimit.store=local",
                "ratelimit.http.rules-order=" + order,
                "ratelimit.limits.few.permits=1",
                "ratelimit.limits.few.period=1h",
                "ratelimit.http.rules[0].path=/ruled",
                "ratelimit.http.rules[0].limits=few",
                "ratelimit.http.rules[1].path=/keyed",
                "ratelimit.http.rules[1].limits=few",
                "ratelimit.http.rules[1].key=#caller.header('X-Key')");
    }

    @EnableAutoConfiguration
    @Import({Advice.class, Handlers.class, OnServlets.class, OnWebFlux.class})
    static class Application {}

    @ControllerAdvice
    static class Advice {

        @ExceptionHandler
        @ResponseStatus(HttpStatus.TOO_MANY_REQUESTS)
        String denied(RateLimitExceededException denial, Model model) {
            model.addAttribute("limit", denial.denied().limit());
            return "denied";
        }

        @ExceptionHandler
        @ResponseStatus(HttpStatus.BAD_REQUEST)
        @ResponseBody
        String keyless(InvalidRateLimitKeyException keyless) {
            return "say who you are";
        }
    }

    @Controller
    @ResponseBody
    static class Handlers {

        @GetMapping("/annotated")
        @RateLimited(name = "annotated", permits = 1, period = "1h")
        public String annotated() {
            return "done";
        }

        @GetMapping({"/ruled", "/keyed"})
        public String ruled() {
            return "done";
        }
    }

    private static String page(Map<String, Object> model) {
        return "<p>" + model.get("limit") + " is spent</p>";
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {

        @Bean
        org.springframework.web.servlet.View denied() {
            return new org.springframework.web.servlet.view.AbstractView() {
                @Override
                protected void renderMergedOutputModel(
                        Map<String, Object> model, HttpServletRequest request, HttpServletResponse response)
                        throws IOException {
                    response.setContentType(getContentType());
                    response.getWriter().write(page(model));
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux {

        @Bean
        org.springframework.web.reactive.result.view.ViewResolver views() {
            org.springframework.web.reactive.result.view.View view = new AbstractView() {
                @Override
                protected Mono<Void> renderInternal(
                        Map<String, Object> model, @Nullable MediaType type, ServerWebExchange exchange) {
                    ServerHttpResponse response = exchange.getResponse();
                    byte[] page = page(model).getBytes(StandardCharsets.UTF_8);
                    return response.writeWith(Mono.just(response.bufferFactory().wrap(page)));
                }
            };
            return (name, locale) -> name.equals("denied") ? Mono.just(view) : Mono.empty();
        }
    }
}
