/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A caller who lacks what tells callers apart is answered with 400, and the log says once how to cure it. */
@ExtendWith(OutputCaptureExtension.class)
class MissingKeyTests {

    @ParameterizedTest
    @CsvSource({
        "SERVLET, /mine, principal,",
        "REACTIVE, /mine, principal,",
        "SERVLET, /keyed, X-Api-Key,",
        "REACTIVE, /keyed, X-Api-Key,",
        "SERVLET, /ruled, principal, #caller.principal",
        "REACTIVE, /ruled, principal, #caller.principal",
        "SERVLET, /ruled, X-Api-Key, #caller.header('X-Api-Key')",
        "REACTIVE, /ruled, X-Api-Key, #caller.header('X-Api-Key')",
    })
    void isAnsweredWith400AndExplainedOnce(
            WebStack stack, String path, String lacking, @Nullable String keyOfRule, CapturedOutput output)
            throws Exception {
        List<String> rule = keyOfRule == null
                ? List.of()
                : List.of(
                        "ratelimit.http.rules[0].path=" + path,
                        "ratelimit.http.rules[0].limits=all",
                        "ratelimit.http.rules[0].key=" + keyOfRule);
        try (RunningApplication app = stack.startWith(
                List.of(Application.class),
                List.of(
                        "ratelimit.store=local",
                        "ratelimit.limits.all.permits=1",
                        "ratelimit.limits.all.period=1h",
                        "spring.application.name=keys"),
                rule)) {
            for (int i = 0; i < 3; i++) {
                assertThat(app.send("GET " + path + " HTTP/1.1").text()).isEqualTo("""
                        400
                        content-type: application/problem+json

                        {"type":"about:blank","title":"Bad Request","status":400,\
                        "detail":"The request lacks what tells callers apart."}""");
            }
        }
        assertThat(output.getAll().lines().filter(line -> line.contains(" WARN ")))
                .hasSize(1)
                .first()
                .asString()
                .contains(lacking);
        assertThat(output.getAll()).doesNotContain(" ERROR ");
    }

    @EnableAutoConfiguration
    @Import(Handlers.class)
    static class Application {}

    @RestController
    static class Handlers {

        @GetMapping("/mine")
        @RateLimited(name = "all", key = "#caller.principal")
        public String mine() {
            return "mine";
        }

        @GetMapping("/keyed")
        @RateLimited(name = "all", key = "#caller.header('X-Api-Key')")
        public String keyed() {
            return "keyed";
        }

        @GetMapping("/ruled")
        String ruled() {
            return "ruled";
        }
    }
}
