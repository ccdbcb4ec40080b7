/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.annotation.RateLimited;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A rule that cannot work stops the start and says where it stands; one that can says what it does. */
@ExtendWith(OutputCaptureExtension.class)
class PathRulesAtStartTests {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            limits=order                    | ratelimit.http.rules[1].limits = order names a limit that nobody defines.
            limits=order                    | Did you mean 'orders'?
            path=/api/{id                   | ratelimit.http.rules[1].path = /api/{id is no pattern
            methods=PSOT                    | Property: ratelimit.http.rules[1].methods
            key=#caller.nobody              | The expression on ratelimit.http.rules[1]:
            key=#caller.headr('X')          | reads 'headr('X')', which io.github.ratelimit.expression.Caller does not have
            key=#tenant                     | uses the unknown variable '#tenant'
            key=#caller.                    | cannot be parsed
            condition=#caller.path          | is neither true nor false
            condition=@nobody.knows()       | asks for the bean 'nobody', and there is none of this name
            """)
    void mistakeStopsTheStart(String mistake, String said, CapturedOutput output) {
        for (WebStack stack : WebStack.values()) {
            int before = output.toString().length();
            String[] properties = with(mistake);
            assertThatThrownBy(() -> stack.start(Application.class, properties).close())
                    .isInstanceOf(Exception.class);
            assertThat(output.toString().substring(before)).contains(said);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ruleHasAStartLine(WebStack stack, CapturedOutput output) {
        stack.start(Application.class, with("methods=POST", "key=#caller.address", "condition=#caller.path != '/'"))
                .close();
        assertThat(output)
                .contains("ratelimit.http.rules[0]: /** is limited by 'orders': token-bucket (defaults), permits 600"
                        + " (limits.orders), period 1m (limits.orders), burst 600 (permits), counted per instance (store),"
                        + " one counter for everyone;"
                        + " static resources and the actuator are not counted")
                .contains("ratelimit.http.rules[1]: [POST] /api/** is limited by 'orders': ")
                .contains(", key #caller.address, if #caller.path != '/'");
    }

    /** Its name is nearly the one of a limit without properties, which is a slip only where nobody asks for it. */
    @ParameterizedTest
    @EnumSource
    void limitOfARuleIsNotTakenForAMisspeltOne(WebStack stack, CapturedOutput output) {
        String[] properties = Stream.concat(
                        Stream.of(with("limits=Orders_2")),
                        Stream.of("ratelimit.limits.orders-2.permits=9", "ratelimit.limits.orders-4.permits=9"))
                .toArray(String[]::new);
        stack.start(WithAMethod.class, properties).close();
        assertThat(output)
                .contains("No method names the limit 'orders-4' of the properties. Is it meant for 'orders-3'")
                .doesNotContain("limit 'orders' of the properties", "limit 'orders-2' of the properties");
    }

    @ParameterizedTest
    @EnumSource
    void rulesAreNothingWhereLimitsAreOff(WebStack stack, CapturedOutput output) throws Exception {
        try (RunningApplication app = stack.start(
                Application.class,
                Stream.concat(
                                Stream.of(with("limits=nobody-defines", "key=#unknown")),
                                Stream.of("ratelimit.enabled=false"))
                        .toArray(String[]::new))) {
            assertThat(app.send("GET /api/x HTTP/1.1").limitHeaders()).isEmpty();
        }
        assertThat(output).doesNotContain("ratelimit.http.rules[0]");
    }

    private static String[] with(String... second) {
        Stream<String> more = Stream.of(second).map(line -> "ratelimit.http.rules[1]." + line);
        Stream<String> basic = Stream.of(
                "ratelimit.store=local",
                "ratelimit.limits.orders.permits=600",
                "ratelimit.limits.orders.period=1m",
                "ratelimit.http.rules[0].path=/**",
                "ratelimit.http.rules[0].limits=orders");
        return Stream.concat(Stream.concat(basic, more), missing(second)).toArray(String[]::new);
    }

    private static Stream<String> missing(String... second) {
        return Stream.of("path=/api/**", "limits=orders")
                .filter(line -> Stream.of(second).noneMatch(own -> own.startsWith(line.substring(0, 5))))
                .map(line -> "ratelimit.http.rules[1]." + line);
    }

    @EnableAutoConfiguration
    static class Application {}

    @EnableAutoConfiguration
    static class WithAMethod {

        @RateLimited(name = "orders-3", permits = 5, period = "1m")
        public void limited() {}
    }
}
