/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.catalina.filters.RemoteIpFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tomcat's filter for forwarding headers, which says of a request what Tomcat's valve says and leaves it as it was: it is
 * looked behind, wherever it stands.
 */
class FilterOfTomcatTests {

    private static final String TRUSTED = "ratelimit.http.trusted-proxies=127.0.0.0/8,::1,10.0.0.0/8";

    private static final String FIRST = "-2147483648";
    private static final String BETWEEN = "-1000";
    private static final String LAST = "2147483647";

    @ParameterizedTest
    @ValueSource(strings = {FIRST, BETWEEN, LAST})
    void addressIsTheOneThatTrustedProxiesName(String order) throws Exception {
        Map<String, String> callers = new LinkedHashMap<>();
        callers.put("X-Forwarded-For: 192.0.2.1", "192.0.2.1");
        callers.put("X-Forwarded-For: 6.6.6.6, 192.0.2.1", "192.0.2.1");
        callers.put("X-Forwarded-For: 6.6.6.6, 192.0.2.1, 10.0.0.7", "192.0.2.1");
        callers.put("Forwarded: for=6.6.6.6, for=192.0.2.1", "192.0.2.1");
        callers.put("X-Other: 6.6.6.6", "127.0.0.1");
        check(callers, order, TRUSTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {FIRST, BETWEEN, LAST})
    void nobodyIsTrusted(String order) throws Exception {
        check(Map.of("X-Forwarded-For: 6.6.6.6", "127.0.0.1"), order, "ratelimit.http.ipv6-prefix=64");
    }

    /** The valve comes first, and leaves the filter nothing to read. */
    @ParameterizedTest
    @ValueSource(strings = {FIRST, BETWEEN, LAST})
    void valveIsBelievedBesideTheFilter(String order) throws Exception {
        check(
                Map.of("X-Forwarded-For: 6.6.6.6, 192.0.2.1", "192.0.2.1"),
                order,
                "server.forward-headers-strategy=native");
    }

    /** A call of a filter, by when the request says that its headers were read, and the caller is known from before. */
    @Test
    void addressIsTheSameToFiltersBehindIt() throws Exception {
        try (RunningApplication app = WebStack.SERVLET.start(Application.class, with("0", TRUSTED))) {
            app.send("GET /filtered HTTP/1.1", "X-Forwarded-For: 192.0.2.1");
            assertThat(app.context().getBean(Seen.class).look())
                    .as("rule and filter")
                    .isEqualTo("192.0.2.1 192.0.2.1");
        }
    }

    private static void check(Map<String, String> callers, String order, String property) throws Exception {
        try (RunningApplication app = WebStack.SERVLET.start(Application.class, with(order, property))) {
            Seen seen = app.context().getBean(Seen.class);
            for (Map.Entry<String, String> caller : callers.entrySet()) {
                RawAnswer answer = app.send("GET /limited HTTP/1.1", caller.getKey());
                assertThat(answer.status()).as(caller.getKey()).isEqualTo(200);
                assertThat(seen.look())
                        .as("rule and method, " + caller.getKey())
                        .isEqualTo(caller.getValue() + " " + caller.getValue());
            }
        }
    }

    private static String[] with(String order, String property) {
        return new String[] {
            "order=" + order,
            property,
            "ratelimit.store=local",
            "ratelimit.limits.all.permits=1000",
            "ratelimit.limits.all.period=1h",
            "ratelimit.http.rules[0].path=/**",
            "ratelimit.http.rules[0].limits=all",
            "ratelimit.http.rules[0].key=@seen.key(#caller.address)"
        };
    }

    @EnableAutoConfiguration
    @Import({Handlers.class, Limited.class})
    static class Application {

        @Bean
        Seen seen() {
            return new Seen();
        }

        @Bean
        FilterRegistrationBean<RemoteIpFilter> remoteIp(@Value("${order}") int order) {
            FilterRegistrationBean<RemoteIpFilter> registration = new FilterRegistrationBean<>(new RemoteIpFilter());
            registration.setOrder(order);
            return registration;
        }

        @Bean
        Filter calling(Limited limited) {
            return (request, response, chain) -> {
                if (((HttpServletRequest) request).getRequestURI().equals("/filtered")) {
                    limited.call();
                }
                chain.doFilter(request, response);
            };
        }
    }

    @Service
    static class Limited {

        @RateLimited(name = "all", key = "@seen.key(#caller.address)")
        public void call() {}
    }

    @RestController
    static class Handlers {

        @GetMapping("/limited")
        @RateLimited(name = "all", key = "@seen.key(#caller.address)")
        public String limited() {
            return "done";
        }
    }
}
