/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** How a refused call is answered, whole and raw, in an application that has no advice of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class RefusalSpecification {

    private final RunningApplication app;

    /**
     * The specification of a stack.
     *
     * @param extras what the application has on this stack alone
     */
    RefusalSpecification(WebStack stack, Class<?> extras) {
        this.app = stack.startWith(List.of(Application.class, extras), List.of("ratelimit.store=local"), List.of());
    }

    @AfterAll
    void stop() {
        app.close();
    }

    static String denied(String limit) {
        return """
                429
                content-type: application/problem+json
                retry-after: 3600
                x-ratelimit-limit: 1
                x-ratelimit-remaining: 0
                x-ratelimit-reset: 3600

                {"type":"https://iana.org/assignments/http-problem-types#quota-exceeded",\
                "title":"Request cannot be satisfied as assigned quota has been exceeded","status":429,\
                "detail":"The permits of limit '%s' are spent. Try again in 3600 seconds.",\
                "violated-policies":["%s"]}""".formatted(limit, limit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"value", "future", "mono", "flux", "sse", "service", "service-mono", "extra"})
    void answersADenialWithAProblem(String path, CapturedOutput log) throws Exception {
        String request = "GET /" + path + " HTTP/1.1";

        assertThat(app.send(request).status()).isEqualTo(200);
        assertThat(app.send(request).text()).isEqualTo(denied(path));

        assertThat(log).doesNotContain("ERROR", "WARN", "\tat ");
    }

    @Test
    void answersADenialBeforeABodyThatCameInPieces() throws Exception {
        String[] head = {
            "POST /body HTTP/1.1", "Content-Type: text/plain", "Content-Length: 100000",
        };

        RawAnswer allowed = app.sendWithBody("x".repeat(100_000), head);
        RawAnswer denied = app.sendWithBody("x".repeat(100_000), head);

        assertThat(allowed.body()).isEqualTo("100000");
        assertThat(allowed.limitHeaders())
                .isEqualTo("x-ratelimit-limit: 1\nx-ratelimit-remaining: 0\nx-ratelimit-reset: 3600");
        assertThat(denied.text()).isEqualTo(denied("body"));
    }

    @Test
    void answersHeadWithoutABody() throws Exception {
        app.send("GET /head HTTP/1.1");

        RawAnswer denied = app.send("HEAD /head HTTP/1.1");

        assertThat(denied.text()).isEqualTo(denied("head").replaceAll("\\{.*", ""));
    }

    @Test
    void saysNothingAboutLimitsToOptions() throws Exception {
        RawAnswer options = app.send("OPTIONS /options HTTP/1.1");

        assertThat(options.status()).isEqualTo(200);
        assertThat(options.header("allow")).contains("GET");
        assertThat(options.limitHeaders()).isEmpty();
    }

    @Test
    void answersACallWithoutAKeyWith400AndTellsTheRemedyOnce(CapturedOutput log) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(app.send("GET /key?tenant=%20%20 HTTP/1.1").text()).isEqualTo("""
                            400
                            content-type: application/problem+json

                            {"type":"about:blank","title":"Bad Request","status":400,\
                            "detail":"The request lacks what tells callers apart."}""");
        }

        assertThat(log.getOut().lines().filter(line -> line.contains("WARN"))).hasSize(1);
        assertThat(log).contains("Controller.key(String)").doesNotContain("ERROR", "\tat ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                "application/json;q=0.5, text/html",
                "*/*, text/html"
            })
    void leavesClientsThatPreferAPageToTheErrorPage(String accept) throws Exception {
        String path = "GET /page/" + accept.length() + " HTTP/1.1";
        app.send(path);

        RawAnswer page = app.send(path, "Accept: " + accept);

        assertThat(page.status()).isEqualTo(429);
        assertThat(page.header("content-type")).startsWith("text/html");
        assertThat(page.body()).contains("<html>").contains("Too Many Requests");
        assertThat(page.header("retry-after")).isEqualTo("3600");
        assertThat(page.header("x-ratelimit-remaining")).isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/json", "text/html;q=0.5, application/json", "text/html, application/json", "broken"
            })
    void answersOthersWithAProblem(String accept) throws Exception {
        String path = "GET /problem/" + accept.length() + " HTTP/1.1";
        app.send(path);

        assertThat(app.send(path, "Accept: " + accept).header("content-type")).isEqualTo("application/problem+json");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Controller.class, Limited.class})
    static class Application {}

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

    @Service
    static class Extra {

        @RateLimited(name = "extra", permits = 1, period = "1h")
        public String value() {
            return "done";
        }
    }
}
