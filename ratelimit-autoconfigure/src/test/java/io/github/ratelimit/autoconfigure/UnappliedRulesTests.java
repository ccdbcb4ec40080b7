/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Path rules in applications that have nothing to apply them, on class paths without Spring's web stacks. */
@ExtendWith(OutputCaptureExtension.class)
class UnappliedRulesTests {

    private static final String BOTH_STACKS = "spring-web(mvc|flux)-.*";

    private static final String[] RULE = {
        "--ratelimit.limits.all.permits=1",
        "--ratelimit.limits.all.period=1h",
        "--ratelimit.http.rules[0].path=/api/**",
        "--ratelimit.http.rules[0].limits=all"
    };

    @Test
    void stopTheStartOfServletsWithoutSpringMvc(CapturedOutput output) throws Exception {
        try (ReducedClassPath path = ReducedClassPath.without(BOTH_STACKS)) {
            assertThatThrownBy(() -> path.run(PlainServlets.class, local(RULE))).isInstanceOf(Exception.class);
        }
        assertThat(output.toString().replaceAll("\\s+", " "))
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "ratelimit.http.rules[0].path = /api/** would limit nothing: ratelimit.http.rules need Spring MVC or"
                                + " WebFlux, and the application has neither.")
                .contains("Origin: \"ratelimit.http.rules[0].path\" from property source \"commandLineArgs\"")
                .contains("Add Spring MVC (spring-boot-starter-web)");
    }

    @Test
    void areNothingThereWhereLimitsAreOff() throws Exception {
        try (ReducedClassPath path = ReducedClassPath.without(BOTH_STACKS)) {
            String[] off = Stream.concat(Stream.of(RULE), Stream.of("--ratelimit.enabled=false"))
                    .toArray(String[]::new);
            assertThat(path.run(PlainServlets.class, local(off))).isEqualTo("200, 200, 200");
        }
    }

    @Test
    void leaveAnnotationsAtWorkThereWhereTheyAreNotStated() throws Exception {
        try (ReducedClassPath path = ReducedClassPath.without(BOTH_STACKS)) {
            assertThat(path.has("org.springframework.web.servlet.DispatcherServlet"))
                    .isFalse();
            assertThat(path.run(PlainServlets.class, local())).isEqualTo("200, 200, 429");
        }
    }

    /** With Spring MVC they hold for every servlet. */
    @Test
    void areAppliedToOtherServletsBesideSpringMvc() throws Exception {
        String[] wide = Stream.of(local(RULE))
                .map(argument -> argument.replace("/api/**", "/**"))
                .toArray(String[]::new);
        assertThat(PlainServlets.run(wide)).isEqualTo("200, 429, 429");
    }

    /** As in a test of an application without its server: no request goes by unlimited where none is served. */
    @Test
    void areNothingWhereNoRequestIsServed() {
        String[] numbers = Stream.concat(
                        Stream.of(RULE),
                        Stream.of(
                                "--ratelimit.store=local",
                                "--ratelimit.defaults.permits=2",
                                "--ratelimit.defaults.period=1h"))
                .toArray(String[]::new);
        assertThat(LeastApplication.run(numbers)).isEqualTo("LocalRateLimitStore: 2, 2, 2");
    }

    private static String[] local(String... more) {
        return Stream.concat(Stream.of("--ratelimit.store=local", "--server.port=0"), Stream.of(more))
                .toArray(String[]::new);
    }
}
