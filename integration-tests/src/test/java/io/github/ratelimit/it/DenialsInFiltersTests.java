/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static io.github.ratelimit.it.RefusalSpecification.denied;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;

/** What is refused in the application's own filters and servlets is answered as what is refused in a controller. */
@ExtendWith(OutputCaptureExtension.class)
class DenialsInFiltersTests {

    @ParameterizedTest
    @CsvSource({"SERVLET, filter", "SERVLET, servlet", "REACTIVE, filter"})
    void areProblems(WebStack stack, String place, CapturedOutput log) throws Exception {
        try (RunningApplication app = start(stack)) {
            RawAnswer allowed = app.send("GET /" + place + " HTTP/1.1");
            assertThat(allowed.status() + " " + allowed.body()).isEqualTo("200 done");
            assertThat(app.send("GET /" + place + " HTTP/1.1").text()).isEqualTo(denied(place));

            RawAnswer page = app.send("GET /" + place + " HTTP/1.1", "Accept: text/html");
            assertThat(page.status()).isEqualTo(429);
            assertThat(page.body()).contains("Too Many Requests");
            assertThat(page.header("retry-after")).isEqualTo("3600");

            assertThat(app.send("GET /keyless HTTP/1.1").status()).isEqualTo(400);
        }
        assertThat(log.getAll()).doesNotContain("ERROR", "\tat ");
    }

    /** As servlets of other frameworks do with whatever they fail with. */
    @ParameterizedTest
    @EnumSource(names = "SERVLET")
    void areProblemsWhereAServletWrapsThem(WebStack stack, CapturedOutput log) throws Exception {
        try (RunningApplication app = start(stack)) {
            app.send("GET /servlet HTTP/1.1");
            assertThat(app.send("GET /servlet?wrapped HTTP/1.1").text()).isEqualTo(denied("servlet"));
        }
        assertThat(log.getAll()).doesNotContain("ERROR", "\tat ");
    }

    /** What a filter writes and sends before it is refused is broken off; what else fails there is no affair of ours. */
    @ParameterizedTest
    @EnumSource(names = "SERVLET")
    void leaveOtherFailuresAlone(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack)) {
            app.send("GET /filter HTTP/1.1");
            RawAnswer begun = app.send("GET /begun HTTP/1.1");
            assertThat(begun.status()).isEqualTo(200);
            assertThat(begun.body()).isEqualTo("begun");
            assertThat(begun.whole()).isFalse();
            assertThat(app.send("GET /failing HTTP/1.1").status()).isEqualTo(500);
        }
    }

    private static RunningApplication start(WebStack stack) {
        return stack.start(Application.class, "ratelimit.store=local", "spring.application.name=filters");
    }

    @EnableAutoConfiguration
    @Import({Limited.class, Handlers.class, OnServlets.class, OnWebFlux.class})
    static class Application {}

    @Service
    static class Limited {

        @RateLimited(name = "filter", permits = 1, period = "1h")
        public void filter() {}

        @RateLimited(name = "servlet", permits = 1, period = "1h")
        public String servlet() {
            return "done";
        }

        @RateLimited(name = "keyless", permits = 1, period = "1h", key = "#key")
        public void keyless(String key) {}
    }

    /** What the filters of both stacks call. */
    private static void call(Limited limited, String path) {
        switch (path) {
            case "/filter", "/begun" -> limited.filter();
            case "/keyless" -> limited.keyless("");
            case "/failing" -> throw new IllegalStateException("for the test");
            default -> {}
        }
    }

    @RestController
    static class Handlers {

        @GetMapping({"/filter", "/keyless"})
        public String done() {
            return "done";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {

        @Bean
        Filter limiting(Limited limited) {
            return (request, response, chain) -> {
                String path = ((HttpServletRequest) request).getRequestURI();
                if (path.equals("/begun")) {
                    response.getWriter().write("begun");
                    response.flushBuffer();
                }
                call(limited, path);
                chain.doFilter(request, response);
            };
        }

        @Bean
        ServletRegistrationBean<HttpServlet> plain(Limited limited) {
            HttpServlet servlet = new HttpServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response)
                        throws ServletException, IOException {
                    try {
                        String text = limited.servlet();
                        response.getWriter().write(text);
                    } catch (RateLimitExceededException denial) {
                        if ("wrapped".equals(request.getQueryString())) {
                            throw new ServletException("wrapped", denial);
                        }
                        throw denial;
                    }
                }
            };
            return new ServletRegistrationBean<>(servlet, "/servlet");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux {

        @Bean
        WebFilter limiting(Limited limited) {
            return (exchange, chain) -> {
                call(limited, exchange.getRequest().getPath().value());
                return chain.filter(exchange);
            };
        }
    }
}
