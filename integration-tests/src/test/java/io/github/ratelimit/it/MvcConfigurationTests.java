/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.annotation.RateLimited;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** However an application configures Spring MVC, limits are the same to it, beside advice for every exception. */
@ExtendWith(OutputCaptureExtension.class)
class MvcConfigurationTests {

    private static final List<String> REFUSING = List.of("/value", "/ruled", "/filtered");

    @ParameterizedTest
    @ValueSource(classes = {BySpringBoot.class, ByAnnotation.class, ByExtension.class})
    void makesNoDifferenceToAnswers(Class<?> configuration, CapturedOutput log) throws Exception {
        try (RunningApplication app = start(configuration)) {
            for (String path : REFUSING) {
                RawAnswer refused = refused(app, path);
                assertThat(refused.status()).as(path).isEqualTo(429);
                assertThat(refused.header("content-type")).as(path).isEqualTo("application/problem+json");
                assertThat(refused.header("retry-after")).as(path).isEqualTo("3600");

                RawAnswer page = app.send("GET " + path + " HTTP/1.1", "Accept: text/html");
                assertThat(page.status()).as(path).isEqualTo(429);
                assertThat(page.body()).as(path).contains("Too Many Requests");
            }
            assertThat(text(app.send("GET /called HTTP/1.1"))).isEqualTo("400 say who you are");
            assertThat(text(app.send("GET /called HTTP/1.1", "X-Key: acme"))).isEqualTo("200 done");
            assertThat(text(app.send("GET /failing HTTP/1.1"))).isEqualTo("500 catch-all: IllegalStateException");
        }
        assertThat(log)
                .doesNotContain("is not eligible for getting processed by all BeanPostProcessors", "ERROR", "\tat ");
    }

    @ParameterizedTest
    @ValueSource(classes = {BySpringBoot.class, ByAnnotation.class, ByExtension.class})
    void makesNoDifferenceToWhatRulesCount(Class<?> configuration) throws Exception {
        try (RunningApplication app = start(
                configuration,
                "ratelimit.http.rules[2].path=/**",
                "ratelimit.http.rules[2].limits=all",
                "ratelimit.http.rules[2].key=@seen.key(#caller.path)")) {
            Seen seen = app.context().getBean(Seen.class);

            assertThat(app.send("GET /seen.txt HTTP/1.1").body()).startsWith("a static resource");
            assertThat(seen.look()).isEmpty();
            app.send("GET /value HTTP/1.1");
            app.send("GET /nowhere HTTP/1.1");
            assertThat(seen.look()).isEqualTo("/value /nowhere");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {BySpringBoot.class, ByAnnotation.class, ByExtension.class})
    void makesNoDifferenceToWhoIsYieldedTo(Class<?> configuration) throws Exception {
        try (RunningApplication app = start(configuration, "ratelimit.http.yield-to-catch-all=true")) {
            for (String path : REFUSING) {
                assertThat(text(refused(app, path))).as(path).isEqualTo("500 catch-all: RateLimitExceededException");
            }
        }
    }

    /** What is refused there is refused by the application above it. */
    @ParameterizedTest
    @CsvSource({"false, 429", "true, 500"})
    void mayBeThatOfADispatcherServletWithAContextBelow(boolean yields, int status) throws Exception {
        try (RunningApplication app = start(TwoDispatchers.class, "ratelimit.http.yield-to-catch-all=" + yields)) {
            assertThat(refused(app, "/below/service").status()).isEqualTo(status);
        }
    }

    private static RawAnswer refused(RunningApplication app, String path) throws Exception {
        assertThat(text(app.send("GET " + path + " HTTP/1.1"))).as(path).isEqualTo("200 done");
        return app.send("GET " + path + " HTTP/1.1");
    }

    private static String text(RawAnswer answer) {
        return answer.status() + " " + answer.body();
    }

    private static RunningApplication start(Class<?> configuration, String... more) {
        return WebStack.SERVLET.startWith(
                List.of(Application.class, configuration),
                List.of(
                        "ratelimit.store=local",
                        "ratelimit.limits.few.permits=1",
                        "ratelimit.limits.few.period=1h",
                        "ratelimit.limits.all.permits=1000",
                        "ratelimit.limits.all.period=1h",
                        "ratelimit.http.rules[0].path=/ruled",
                        "ratelimit.http.rules[0].limits=few",
                        "ratelimit.http.rules[1].path=/called",
                        "ratelimit.http.rules[1].limits=all",
                        "ratelimit.http.rules[1].key=#caller.header('X-Key')"),
                List.of(more));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({OneAnHour.class, Handlers.class, CatchAll.class, Specific.class, Limited.class})
    static class Application {

        @Bean
        Seen seen() {
            return new Seen();
        }

        @Bean
        Filter limiting(Limited limited) {
            return (request, response, chain) -> {
                if (((HttpServletRequest) request).getRequestURI().equals("/filtered")) {
                    limited.filtered();
                }
                chain.doFilter(request, response);
            };
        }
    }

    static class BySpringBoot {}

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class ByAnnotation implements WebMvcConfigurer {

        @Override
        public void addResourceHandlers(ResourceHandlerRegistry registry) {
            registry.addResourceHandler("/**").addResourceLocations("classpath:/static/");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByExtension extends WebMvcConfigurationSupport {

        @Override
        protected void addResourceHandlers(ResourceHandlerRegistry registry) {
            registry.addResourceHandler("/**").addResourceLocations("classpath:/static/");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDispatchers {

        @Bean
        ServletRegistrationBean<DispatcherServlet> below() {
            AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
            context.register(Below.class);
            ServletRegistrationBean<DispatcherServlet> servlet =
                    new ServletRegistrationBean<>(new DispatcherServlet(context), "/below/*");
            servlet.setName("below");
            return servlet;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    @Import(HandlersBelow.class)
    static class Below {}

    @RestController
    static class HandlersBelow {

        private final Limited limited;

        HandlersBelow(Limited limited) {
            this.limited = limited;
        }

        @GetMapping("/service")
        String service() {
            return limited.service();
        }
    }

    @Service
    static class Limited {

        @RateLimited(name = "filtered", permits = 1, period = "1h")
        public void filtered() {}

        @RateLimited(name = "service", permits = 1, period = "1h")
        public String service() {
            return "done";
        }
    }

    @RestController
    static class Handlers {

        @GetMapping({"/ruled", "/filtered"})
        String done() {
            return "done";
        }

        @GetMapping("/called")
        @RateLimited(name = "called", permits = 9, period = "1h", key = "#caller.header('X-Key')")
        public String called() {
            return "done";
        }

        @GetMapping("/failing")
        String failing() {
            throw new IllegalStateException("for the test");
        }
    }

    @RestControllerAdvice
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class CatchAll {

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> any(Exception failure) {
            return ResponseEntity.status(500)
                    .body("catch-all: " + failure.getClass().getSimpleName());
        }
    }

    @RestControllerAdvice
    static class Specific {

        @ExceptionHandler
        @ResponseStatus(HttpStatus.BAD_REQUEST)
        String keyless(InvalidRateLimitKeyException keyless) {
            return "say who you are";
        }
    }
}
