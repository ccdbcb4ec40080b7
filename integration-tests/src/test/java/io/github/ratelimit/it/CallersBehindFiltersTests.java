/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import io.micrometer.context.ContextSnapshotFactory;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/**
 * Filters of the application say who calls: by a header that they take from what they have verified, by a principal of their own. The
 * caller of a limited method is the one whom its handler sees, not the one whom the client made up.
 */
class CallersBehindFiltersTests {

    private static final List<String> OF_BOTH_STACKS = List.of("/value", "/service", "/mono", "/carried", "/route");
    private static final String FORGED = "6.6.6.6";

    @ParameterizedTest
    @EnumSource
    void headersAreThoseOfTheFilters(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack)) {
            Seen seen = app.context().getBean(Seen.class);
            for (String path : handlers(stack)) {
                for (String madeUp : List.of("one", "two")) {
                    RawAnswer answer = app.send("GET " + path + " HTTP/1.1", "X-Token: acme", "X-Tenant: " + madeUp);
                    assertThat(answer.status()).as(path).isEqualTo(200);
                    assertThat(seen.look()).as(path).isEqualTo("acme by acme");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientSaysNothingWithoutAToken(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack)) {
            for (String path : handlers(stack)) {
                assertThat(app.send("GET " + path + " HTTP/1.1", "X-Tenant: made-up")
                                .status())
                        .as(path)
                        .isEqualTo(400);
                assertThat(app.context().getBean(Seen.class).look()).as(path).isEqualTo("null by null");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void nobodyGetsACounterForANameOfTheirOwn(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack, "ratelimit.limits.all.permits=1")) {
            for (int status : new int[] {200, 429}) {
                RawAnswer answer = app.send("GET /value HTTP/1.1", "X-Token: acme", "X-Tenant: " + status);
                assertThat(answer.status()).isEqualTo(status);
            }
            assertThat(app.send("GET /value HTTP/1.1", "X-Token: umbrella").status())
                    .isEqualTo(200);
        }
    }

    /** Whatever a filter makes of the address, and whether or not it shows what it has wrapped. */
    @ParameterizedTest
    @EnumSource
    void addressesAreStillTheReceivedOnes(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack)) {
            Seen seen = app.context().getBean(Seen.class);
            for (String how : List.of("X-Token: acme", "X-Opaque: yes")) {
                assertThat(app.send("GET /address HTTP/1.1", how).status()).isEqualTo(200);
                assertThat(seen.look()).as(how).isEqualTo("127.0.0.1");
                app.send("GET /address HTTP/1.1", how, "X-Forwarded-For: 192.0.2.1");
                assertThat(seen.look()).as(how).isEqualTo("192.0.2.1");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void rulesSeeTheRequestWhereTheyStand(WebStack stack) throws Exception {
        try (RunningApplication app = start(
                stack,
                "ratelimit.http.rules[0].path=/value",
                "ratelimit.http.rules[0].limits=all",
                "ratelimit.http.rules[0].key=@seen.key(#caller.header('X-Tenant'))")) {
            app.send("GET /value HTTP/1.1", "X-Token: acme", "X-Tenant: as-sent");
            assertThat(app.context().getBean(Seen.class).look()).isEqualTo("as-sent acme by acme");
        }
    }

    private static List<String> handlers(WebStack stack) {
        String own = stack == WebStack.SERVLET ? "/later" : "/route-mono";
        return Stream.concat(OF_BOTH_STACKS.stream(), Stream.of(own)).toList();
    }

    private static RunningApplication start(WebStack stack, String... properties) {
        return stack.startWith(
                List.of(Application.class),
                List.of(
                        "ratelimit.store=local",
                        "ratelimit.http.trusted-proxies=127.0.0.0/8,::1",
                        "ratelimit.limits.all.permits=1000",
                        "ratelimit.limits.all.period=1h"),
                List.of(properties));
    }

    @EnableAutoConfiguration
    @Import({Handlers.class, Limited.class, OnServlets.class, OnWebFlux.class})
    static class Application {

        @Bean
        Seen seen() {
            return new Seen();
        }

        @Bean
        Both both(Seen seen) {
            return new Both(seen);
        }
    }

    /** Of a tenant and a principal the key. */
    record Both(Seen seen) {

        public @Nullable String key(@Nullable String tenant, @Nullable String principal) {
            seen.key(tenant + " by " + principal);
            return tenant;
        }
    }

    @Service
    static class Limited {

        static final String KEY = "@both.key(#caller.header('X-Tenant'), #caller.principal)";

        @RateLimited(name = "all", key = KEY)
        public String value() {
            return "done";
        }

        @RateLimited(name = "all", key = KEY)
        public Mono<String> mono() {
            return Mono.just("done");
        }
    }

    @RestController
    static class Handlers {

        private final Limited limited;

        Handlers(Limited limited) {
            this.limited = limited;
        }

        @GetMapping("/value")
        @RateLimited(name = "all", key = Limited.KEY)
        public String value() {
            return "done";
        }

        @GetMapping("/service")
        public String service() {
            return limited.value();
        }

        @GetMapping("/mono")
        public Mono<String> mono() {
            return Mono.just("later").flatMap(later -> limited.mono());
        }

        @GetMapping("/later")
        public Callable<String> later() {
            return limited::value;
        }

        /** On a thread that knows the present request, and nothing else of it. */
        @GetMapping("/carried")
        public CompletableFuture<String> carried() {
            Callable<String> call =
                    ContextSnapshotFactory.builder().build().captureAll().wrap(limited::value);
            return CompletableFuture.supplyAsync(() -> {
                try {
                    return call.call();
                } catch (Exception e) {
                    throw new CompletionException(e);
                }
            });
        }

        @GetMapping("/address")
        @RateLimited(name = "all", key = "@seen.key(#caller.address)")
        public String address() {
            return "done";
        }
    }

    private static Principal named(String name) {
        return () -> name;
    }

    /** A request of which one method answers otherwise, and which does not show what it is made of. */
    private static <T> T opaque(Class<T> type, T request, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        return answer;
                    }
                    try {
                        return called.invoke(request, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {

        @Bean
        Filter verifying() {
            return (request, response, chain) -> {
                HttpServletRequest sent = (HttpServletRequest) request;
                HttpServletRequest verified = new Verified(sent);
                chain.doFilter(
                        sent.getHeader("X-Opaque") == null
                                ? verified
                                : opaque(HttpServletRequest.class, verified, "getRemoteAddr", FORGED),
                        response);
            };
        }

        @Bean
        org.springframework.web.servlet.function.RouterFunction<org.springframework.web.servlet.function.ServerResponse>
                routes(Limited limited) {
            return org.springframework.web.servlet.function.RouterFunctions.route()
                    .GET(
                            "/route",
                            request -> org.springframework.web.servlet.function.ServerResponse.ok()
                                    .body(limited.value()))
                    .build();
        }

        private static final class Verified extends HttpServletRequestWrapper {

            Verified(HttpServletRequest request) {
                super(request);
            }

            @Override
            public @Nullable String getHeader(String name) {
                return super.getHeader(name.equals("X-Tenant") ? "X-Token" : name);
            }

            @Override
            public @Nullable Principal getUserPrincipal() {
                String token = super.getHeader("X-Token");
                return token == null ? null : named(token);
            }

            @Override
            public String getRemoteAddr() {
                return FORGED;
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux {

        private static final InetSocketAddress FORGED_SOCKET = new InetSocketAddress(FORGED, 1);

        @Bean
        WebFilter verifying() {
            return (exchange, chain) -> {
                String token = exchange.getRequest().getHeaders().getFirst("X-Token");
                ServerHttpRequest verified = exchange.getRequest()
                        .mutate()
                        .headers(headers -> {
                            headers.remove("X-Tenant");
                            if (token != null) {
                                headers.set("X-Tenant", token);
                            }
                        })
                        .remoteAddress(FORGED_SOCKET)
                        .build();
                boolean isOpaque = exchange.getRequest().getHeaders().getFirst("X-Opaque") != null;
                return chain.filter(exchange.mutate()
                        .request(
                                isOpaque
                                        ? opaque(ServerHttpRequest.class, verified, "getRemoteAddress", FORGED_SOCKET)
                                        : verified)
                        .principal(token == null ? Mono.empty() : Mono.just(named(token)))
                        .build());
            };
        }

        @Bean
        org.springframework.web.reactive.function.server.RouterFunction<
                        org.springframework.web.reactive.function.server.ServerResponse>
                routes(Limited limited) {
            return org.springframework.web.reactive.function.server.RouterFunctions.route()
                    .GET(
                            "/route",
                            request -> org.springframework.web.reactive.function.server.ServerResponse.ok()
                                    .bodyValue(limited.value()))
                    .GET(
                            "/route-mono",
                            request -> org.springframework.web.reactive.function.server.ServerResponse.ok()
                                    .body(limited.mono(), String.class))
                    .build();
        }
    }
}
