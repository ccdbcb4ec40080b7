/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.annotation.RateLimited;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application on Tomcat that names nothing of Spring's web stacks. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(PlainServlets.Limited.class)
public class PlainServlets {

    /**
     * Starts it, and tells what three requests are answered with. A JVM has one factory of URL handlers, which is not for Tomcats of several
     * class loaders.
     */
    public static String run(String... arguments) throws IOException, InterruptedException {
        TomcatURLStreamHandlerFactory.disable();
        try (ConfigurableApplicationContext context = new SpringApplication(PlainServlets.class).run(arguments)) {
            String port = context.getEnvironment().getProperty("local.server.port");
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/value"))
                    .build();
            StringBuilder answers = new StringBuilder();
            for (int i = 0; i < 3; i++) {
                HttpResponse<Void> answer =
                        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
                answers.append(i == 0 ? "" : ", ").append(answer.statusCode());
            }
            return answers.toString();
        }
    }

    @Bean
    ServletRegistrationBean<HttpServlet> plain(Limited limited) {
        HttpServlet servlet = new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.getWriter().write(limited.value());
            }
        };
        return new ServletRegistrationBean<>(servlet, "/*");
    }

    /** What the servlet calls. */
    public static class Limited {

        /** Twice an hour. */
        @RateLimited(name = "value", permits = 2, period = "1h")
        public String value() {
            return "done";
        }
    }
}
