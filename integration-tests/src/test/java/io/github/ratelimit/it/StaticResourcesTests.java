/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static io.github.ratelimit.it.RuledApplication.rule;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.Resource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.PathResourceResolver;
import reactor.core.publisher.Mono;

/** A wide rule leaves out what static resources answer, not what they could answer if nobody came before them. */
class StaticResourcesTests {

    /** As applications of one page have it: whatever is not there is the page. */
    @ParameterizedTest
    @EnumSource
    void handlersComeBeforeResourcesThatAreEverywhere(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(OnePage.class, rule("path=/**"))) {
            Seen seen = app.context().getBean(Seen.class);
            for (String path : List.of("/not-there.txt", "/deep/not-there.txt", "/seen.txt")) {
                assertThat(app.send("GET " + path + " HTTP/1.1").body())
                        .as(path)
                        .startsWith("a static resource");
                assertThat(seen.look()).as(path).isEmpty();
            }
            for (String path : List.of("/api/john.doe", "/api/a/b.css")) {
                assertThat(app.send("GET " + path + " HTTP/1.1").body())
                        .as(path)
                        .startsWith("handled");
                assertThat(seen.look()).as(path).isEqualTo(path);
            }
            assertThat(app.send("GET /posted.txt HTTP/1.1").status()).isEqualTo(405);
            assertThat(seen.look()).isEqualTo("/posted.txt");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SERVLET")
    void otherServletsServeNoResourcesOfSpring(WebStack stack) throws Exception {
        try (RunningApplication app = stack.start(TwoServlets.class, rule("path=/**"))) {
            assertThat(app.send("GET /other/seen.txt HTTP/1.1").body()).isEqualTo("handled by the other");
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("/other/seen.txt");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({RuledApplication.Application.class, Posted.class, PageOnServlets.class, PageOnWebFlux.class})
    static class OnePage {}

    @RestController
    static class Posted {

        @PostMapping("/posted.txt")
        String post() {
            return "handled";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class PageOnServlets implements WebMvcConfigurer {

        @Override
        public void addResourceHandlers(ResourceHandlerRegistry registry) {
            registry.addResourceHandler("/**")
                    .addResourceLocations("classpath:/static/")
                    .resourceChain(true)
                    .addResolver(new PathResourceResolver() {
                        @Override
                        protected Resource getResource(String path, Resource location) throws IOException {
                            return location.createRelative("seen.txt");
                        }
                    });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class PageOnWebFlux implements WebFluxConfigurer {

        @Override
        public void addResourceHandlers(org.springframework.web.reactive.config.ResourceHandlerRegistry registry) {
            registry.addResourceHandler("/**")
                    .addResourceLocations("classpath:/static/")
                    .resourceChain(true)
                    .addResolver(new org.springframework.web.reactive.resource.PathResourceResolver() {
                        @Override
                        protected Mono<Resource> getResource(String path, Resource location) {
                            return Mono.fromCallable(() -> location.createRelative("seen.txt"));
                        }
                    });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(RuledApplication.Application.class)
    static class TwoServlets {

        @Bean
        ServletRegistrationBean<HttpServlet> other() {
            HttpServlet servlet = new HttpServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    response.getWriter().write("handled by the other");
                }
            };
            return new ServletRegistrationBean<>(servlet, "/other/*");
        }
    }
}
