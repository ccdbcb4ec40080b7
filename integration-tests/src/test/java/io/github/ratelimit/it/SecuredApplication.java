/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import io.github.ratelimit.annotation.RateLimited;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An application of Spring Security's users alice, bob and carol, and how they send requests. */
final class SecuredApplication {

    private SecuredApplication() {}

    static RunningApplication start(WebStack stack, String... properties) {
        return stack.startWith(
                List.of(Application.class),
                List.of(
                        WebStack.WITH_SECURITY,
                        "ratelimit.store=local",
                        "ratelimit.defaults.permits=1",
                        "ratelimit.defaults.period=1h",
                        "ratelimit.limits.ruled.period=1h",
                        "ratelimit.http.rules[0].path=/ruled",
                        "ratelimit.http.rules[0].limits=ruled",
                        "ratelimit.http.rules[0].key=#caller.principal",
                        "ratelimit.http.rules[1].path=/open/ruled",
                        "ratelimit.http.rules[1].limits=open",
                        "ratelimit.http.rules[1].key=#caller.principal",
                        "ratelimit.limits.open.period=1h",
                        "ratelimit.http.rules[2].path=/few",
                        "ratelimit.http.rules[2].limits=few",
                        "ratelimit.limits.few.period=1h"),
                List.of(properties));
    }

    static int status(RunningApplication app, String path, String who) throws Exception {
        return app.send("GET " + path + " HTTP/1.1", who).status();
    }

    static RawAnswer login(RunningApplication app, String form) throws Exception {
        return login(app, form, "Accept: */*");
    }

    static RawAnswer login(RunningApplication app, String form, String accept) throws Exception {
        return app.sendWithBody(
                form,
                "POST /login HTTP/1.1",
                accept,
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Length: " + form.length());
    }

    static String basic(String name) {
        byte[] credentials = (name + ":secret").getBytes(StandardCharsets.UTF_8);
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(credentials);
    }

    @EnableAutoConfiguration
    @Import({Controller.class, Limited.class, OnServlets.class, OnWebFlux.class})
    static class Application {

        private static UserDetails[] all() {
            return Stream.of("alice", "bob", "carol")
                    .map(name ->
                            User.withUsername(name).password("{noop}secret").build())
                    .toArray(UserDetails[]::new);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {

        @Bean
        SecurityFilterChain security(HttpSecurity http, @Value("${open:/open/**}") String[] open) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers(open)
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .formLogin(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(Application.all());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/open/**")
                            .permitAll()
                            .anyExchange()
                            .authenticated())
                    .anonymous(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .formLogin(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(Application.all());
        }
    }

    @Service
    static class Limited {

        @RateLimited(key = "#caller.principal")
        public String value() {
            return "done";
        }

        @RateLimited(key = "#caller.principal")
        public String later() {
            return "done";
        }

        @RateLimited(key = "#caller.principal")
        public Mono<String> mono() {
            return Mono.just("done");
        }
    }

    @RestController
    static class Controller {

        private final Limited limited;

        Controller(Limited limited) {
            this.limited = limited;
        }

        @GetMapping({"/value", "/open/value"})
        @RateLimited(key = "#caller.principal")
        public String value() {
            return "done";
        }

        @GetMapping({"/mono", "/open/mono"})
        @RateLimited(key = "#caller.principal")
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @GetMapping("/principal")
        @RateLimited(key = "#name.name")
        public String principal(Principal name) {
            return "done";
        }

        @GetMapping("/flux")
        @RateLimited(key = "#caller.principal")
        public Flux<String> flux() {
            return Flux.just("do", "ne");
        }

        @GetMapping("/future")
        @RateLimited(key = "#caller.principal")
        public CompletableFuture<String> future() {
            return CompletableFuture.supplyAsync(() -> "done");
        }

        @GetMapping("/open/either")
        @RateLimited(key = "#caller.principal ?: #caller.address")
        public String either() {
            return "done";
        }

        @GetMapping({"/ruled", "/open/ruled", "/few"})
        public String ruled() {
            return "done";
        }

        @GetMapping("/service")
        public String service() {
            return limited.value();
        }

        @GetMapping("/later")
        public Callable<String> later() {
            return limited::later;
        }

        @GetMapping("/service-mono")
        public Mono<String> serviceMono() {
            return Mono.just("x").flatMap(x -> limited.mono());
        }
    }
}
