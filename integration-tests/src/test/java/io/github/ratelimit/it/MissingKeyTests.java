/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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
    @EnumSource
    void anonymousCallerUnderAnAnnotation(WebStack stack, CapturedOutput output) throws Exception {
        check(stack, output, "/mine", "principal");
    }

    @ParameterizedTest
    @EnumSource
    void anonymousCallerUnderARule(WebStack stack, CapturedOutput output) throws Exception {
        check(stack, output, "/ruled", "principal", "path=/ruled", "limits=all", "key=#caller.principal");
    }

    @ParameterizedTest
    @EnumSource
    void missingHeaderUnderAnAnnotation(WebStack stack, CapturedOutput output) throws Exception {
        check(stack, output, "/keyed", "X-Api-Key");
    }

    @ParameterizedTest
    @EnumSource
    void missingHeaderUnderARule(WebStack stack, CapturedOutput output) throws Exception {
        check(stack, output, "/ruled", "X-Api-Key", "path=/ruled", "limits=all", "key=#caller.header('X-Api-Key')");
    }

    private static void check(WebStack stack, CapturedOutput output, String path, String lacking, String... rule)
            throws Exception {
        String[] properties = new String[4 + rule.length];
        properties[0] = "ratelimit.store=local";
        properties[1] = "ratelimit.limits.all.permits=1";
        properties[2] = "ratelimit.limits.all.period=1h";
        properties[3] = "spring.application.name=keys";
        for (int i = 0; i < rule.length; i++) {
            properties[4 + i] = "ratelimit.http.rules[0]." + rule[i];
        }
        try (RunningApplication app = stack.start(Application.class, properties)) {
            for (int i = 0; i < 3; i++) {
                RawAnswer answer = app.send("GET " + path + " HTTP/1.1");
                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.body())
                        .startsWith("{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,");
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
