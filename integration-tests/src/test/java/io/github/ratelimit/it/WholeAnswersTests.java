/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static io.github.ratelimit.it.ExpectedAnswers.allowed;
import static io.github.ratelimit.it.ExpectedAnswers.denied;
import static io.github.ratelimit.it.ExpectedAnswers.spent;
import static io.github.ratelimit.it.ExpectedAnswers.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Whole answers, to the last header, of both stacks: what a client sees of several gates, penalties, rules and errors. */
class WholeAnswersTests {

    private static final SharedApplications RUNNING = new SharedApplications(stack -> stack.start(
            Application.class,
            "ratelimit.store=local",
            "ratelimit.defaults.algorithm=fixed-window",
            "ratelimit.http.headers=retry-after,x-ratelimit,ratelimit",
            "ratelimit.http.expose-headers=true",
            "ratelimit.limits.rule.permits=9",
            "ratelimit.limits.rule.period=1h",
            "ratelimit.limits.rule.anchor=first-call",
            "ratelimit.limits.ruled.permits=1",
            "ratelimit.limits.ruled.period=1h",
            "ratelimit.limits.ruled.anchor=first-call",
            "ratelimit.limits.method.anchor=first-call",
            "ratelimit.limits.service.anchor=first-call",
            "ratelimit.limits.failing.anchor=first-call",
            "ratelimit.http.rules[0].path=/gates",
            "ratelimit.http.rules[0].limits=rule",
            "ratelimit.http.rules[1].path=/ruled/**",
            "ratelimit.http.rules[1].limits=ruled",
            "ratelimit.http.rules[1].key=#caller.path"));

    @AfterAll
    static void stop() {
        RUNNING.close();
    }

    @ParameterizedTest
    @EnumSource
    void ofSeveralGates(WebStack stack) throws Exception {
        RunningApplication app = RUNNING.on(stack);

        assertThat(text(app.send("GET /gates HTTP/1.1"))).isEqualTo("""
                200
                access-control-expose-headers: X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, \
                RateLimit-Policy, RateLimit
                ratelimit: "rule";r=8;t=3600, "method";r=3;t=3600, "service";r=0;t=3600
                ratelimit-policy: "rule";q=9;w=3600, "method";q=4;w=3600, "service";q=1;w=3600
                x-ratelimit-limit: 1
                x-ratelimit-remaining: 0
                x-ratelimit-reset: 3600

                done""");
        assertThat(text(app.send("GET /gates HTTP/1.1"))).isEqualTo("""
                429
                access-control-expose-headers: Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, \
                X-RateLimit-Reset, RateLimit-Policy, RateLimit
                content-type: application/problem+json
                ratelimit: "rule";r=7;t=3600, "method";r=2;t=3600, "service";r=0;t=3600
                ratelimit-policy: "rule";q=9;w=3600, "method";q=4;w=3600, "service";q=1;w=3600
                retry-after: 3600
                x-ratelimit-limit: 1
                x-ratelimit-remaining: 0
                x-ratelimit-reset: 3600

                """ + spent("service"));
    }

    @ParameterizedTest
    @EnumSource
    void ofRules(WebStack stack) throws Exception {
        RunningApplication app = RUNNING.on(stack);

        assertThat(text(app.send("GET /ruled/x HTTP/1.1"))).isEqualTo(allowed(200, "ruled") + "done");
        assertThat(text(app.send("GET /ruled/x HTTP/1.1"))).isEqualTo(denied("ruled") + spent("ruled"));
        assertThat(text(app.send("HEAD /ruled/x HTTP/1.1"))).isEqualTo(denied("ruled"));
        assertThat(text(app.send("DELETE /ruled/x HTTP/1.1"))).isEqualTo(denied("ruled") + spent("ruled"));
        assertThat(text(app.send("HEAD /ruled/y HTTP/1.1"))).isEqualTo(allowed(200, "ruled"));
        assertThat(text(app.send("OPTIONS /ruled/z HTTP/1.1")))
                .isEqualTo(allowed(200, "ruled").replace("\nratelimit: ", "\nallow: GET,HEAD,OPTIONS\nratelimit: "));
        RawAnswer missing = app.send("GET /ruled/nobody/there HTTP/1.1", "Accept: application/json");
        assertThat(text(missing).replaceAll("\\nvary: .*", ""))
                .startsWith(allowed(404, "ruled"))
                .contains("Not Found");
    }

    @ParameterizedTest
    @EnumSource
    void ofErrors(WebStack stack) throws Exception {
        RunningApplication app = RUNNING.on(stack);

        RawAnswer failed = app.send("GET /failing HTTP/1.1", "Accept: application/json");
        assertThat(text(failed)).startsWith(allowed(500, "failing")).contains("\"path\":\"/failing\"");
        RawAnswer page = app.send("GET /failing HTTP/1.1", "Accept: text/html");
        assertThat(text(page).replace("\ncontent-type: application/problem+json", ""))
                .startsWith(denied("failing").replace("\ncontent-type: application/problem+json", ""))
                .contains("<html>", "Too Many Requests");
        assertThat(page.header("content-type")).startsWith("text/html");
    }

    @ParameterizedTest
    @EnumSource
    void ofPenalties(WebStack stack) throws Exception {
        RunningApplication app = RUNNING.on(stack);
        app.send("GET /penalty HTTP/1.1");

        assertThat(text(app.send("GET /penalty HTTP/1.1"))).isEqualTo("""
                429
                access-control-expose-headers: Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, \
                X-RateLimit-Reset, RateLimit-Policy, RateLimit
                content-type: application/problem+json
                ratelimit: "penalty";r=0;t=7200
                ratelimit-policy: "penalty";q=1;w=3600
                retry-after: 7200
                x-ratelimit-limit: 1
                x-ratelimit-remaining: 0
                x-ratelimit-reset: 7200

                {"type":"https://iana.org/assignments/http-problem-types#abnormal-usage-detected",\
                "title":"Request cannot be satisfied due to abnormal request pattern","status":429,\
                "detail":"After too many requests, limit 'penalty' is closed for a while. Try again in 7200 seconds.",\
                "violated-policies":["penalty"]}""");
    }

    @ParameterizedTest
    @EnumSource
    void ofWhatNeverFits(WebStack stack) throws Exception {
        assertThat(text(RUNNING.on(stack).send("GET /cost?cost=5 HTTP/1.1"))).isEqualTo("""
                429
                access-control-expose-headers: X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, \
                RateLimit-Policy, RateLimit
                content-type: application/problem+json
                ratelimit: "cost";r=4
                ratelimit-policy: "cost";q=4;w=3600
                x-ratelimit-limit: 4
                x-ratelimit-remaining: 4
                x-ratelimit-reset: 0

                {"type":"https://iana.org/assignments/http-problem-types#quota-exceeded",\
                "title":"Request cannot be satisfied as assigned quota has been exceeded","status":429,\
                "detail":"The request takes more permits than limit 'cost' can ever hold.",\
                "violated-policies":["cost"]}""");
    }

    @EnableAutoConfiguration
    @Import({Limited.class, Handlers.class})
    static class Application {}

    @Service
    static class Limited {

        @RateLimited(name = "service", permits = 1, period = "1h")
        public String value() {
            return "done";
        }
    }

    @RestController
    static class Handlers {

        private final Limited limited;

        Handlers(Limited limited) {
            this.limited = limited;
        }

        @GetMapping("/gates")
        @RateLimited(name = "method", permits = 4, period = "1h")
        public String gates() {
            return limited.value();
        }

        @GetMapping("/ruled/{id}")
        public String ruled() {
            return "done";
        }

        @GetMapping("/failing")
        @RateLimited(name = "failing", permits = 1, period = "1h")
        public String failing() {
            throw new IllegalStateException("for the test");
        }

        @GetMapping("/penalty")
        @RateLimited(name = "penalty", algorithm = Algorithm.TOKEN_BUCKET, permits = 1, period = "1h", penalty = "2h")
        public String penalty() {
            return "done";
        }

        @GetMapping("/cost")
        @RateLimited(name = "cost", algorithm = Algorithm.TOKEN_BUCKET, permits = 4, period = "1h", cost = "#cost")
        public String cost(@RequestParam int cost) {
            return "done";
        }
    }
}
