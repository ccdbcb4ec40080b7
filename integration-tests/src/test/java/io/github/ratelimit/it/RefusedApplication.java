/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import io.github.ratelimit.annotation.RateLimited;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Limited controllers and services of every kind, each with one call an hour. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({RefusedApplication.Controller.class, RefusedApplication.Limited.class})
class RefusedApplication {

    @Service
    static class Limited {

        @RateLimited(name = "service", permits = 1, period = "1h")
        public String value() {
            return "done";
        }

        @RateLimited(name = "service-mono", permits = 1, period = "1h")
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

        @GetMapping("/value")
        @RateLimited(name = "value", permits = 1, period = "1h")
        public String value() {
            return "done";
        }

        @GetMapping("/head")
        @RateLimited(name = "head", permits = 1, period = "1h")
        public String head() {
            return "done";
        }

        @GetMapping("/options")
        @RateLimited(name = "options", permits = 1, period = "1h")
        public String options() {
            return "done";
        }

        @PostMapping("/form")
        @RateLimited(name = "form", permits = 1, period = "1h")
        public String form(@ModelAttribute Form form) {
            return form.text();
        }

        @PostMapping("/multipart")
        @RateLimited(name = "multipart", permits = 1, period = "1h")
        public String multipart(@RequestPart String text) {
            return text;
        }

        @PostMapping("/body")
        @RateLimited(name = "body", permits = 1, period = "1h")
        public String body(@RequestBody String body) {
            return "" + body.length();
        }

        @GetMapping("/page/{id}")
        @RateLimited(name = "page", permits = 1, period = "1h", key = "#id")
        public String page(@PathVariable String id) {
            return id;
        }

        @GetMapping("/problem/{id}")
        @RateLimited(name = "problem", permits = 1, period = "1h", key = "#id")
        public String problem(@PathVariable String id) {
            return id;
        }

        @GetMapping("/key")
        @RateLimited(name = "key", permits = 1, period = "1h", key = "#tenant")
        public String key(@RequestParam String tenant) {
            return tenant;
        }

        @GetMapping("/future")
        @RateLimited(name = "future", permits = 1, period = "1h")
        public CompletableFuture<String> future() {
            return CompletableFuture.supplyAsync(() -> "done");
        }

        @GetMapping("/mono")
        @RateLimited(name = "mono", permits = 1, period = "1h")
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @GetMapping("/flux")
        @RateLimited(name = "flux", permits = 1, period = "1h")
        public Flux<String> flux() {
            return Flux.just("do", "ne");
        }

        @GetMapping(path = "/sse", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        @RateLimited(name = "sse", permits = 1, period = "1h")
        public Flux<String> sse() {
            return Flux.just("do", "ne");
        }

        @GetMapping("/service")
        public String service() {
            return limited.value();
        }

        @GetMapping("/service-mono")
        public Mono<String> serviceMono() {
            return Mono.just("x").flatMap(x -> limited.mono());
        }
    }

    record Form(String text) {}

    @Service
    static class Extra {

        @RateLimited(name = "extra", permits = 1, period = "1h")
        public String value() {
            return "done";
        }
    }
}
