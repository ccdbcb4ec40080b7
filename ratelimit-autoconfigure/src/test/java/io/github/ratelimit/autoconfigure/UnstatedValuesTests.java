/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** A property that is written down and states nothing stops the start: people are told that it is empty, and where. */
@ExtendWith(OutputCaptureExtension.class)
class UnstatedValuesTests {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"permits", "period", "penalty", "algorithm", "shadow", "store"})
    void emptyPropertyOfALimit(String property, CapturedOutput output) {
        assertThat(failedStart(output).with("""
                                ratelimit:
                                  defaults: { permits: 1000 }
                                  limits:
                                    orders:
                                      burst: 5
                                      %s:
                                """.formatted(property), FailedStart.Strict.class))
                .contains("ratelimit.limits.orders." + property + " is empty.")
                .contains("application.yml] - 6:")
                .contains("Give it a value, or remove it.");
    }

    @Test
    void placeholderForNothing(CapturedOutput output) {
        assertThat(failedStart(output)
                        .with(
                                "ratelimit.limits.orders: { permits: '${ORDERS_PERMITS:}', period: 1m }",
                                FailedStart.Strict.class))
                .contains("ratelimit.limits.orders.permits = ${ORDERS_PERMITS:} is empty.");
    }

    /** The empty variable is wrong, not the number that it hides. */
    @Test
    void emptyEnvironmentVariableIsNamedAndNotTheFileBehindIt(CapturedOutput output) {
        assertThat(failedStart(output)
                        .with(
                                "ratelimit.limits.orders.permits: 5",
                                Map.of("RATELIMIT_LIMITS_ORDERS_PERMITS", ""),
                                FailedStart.Strict.class))
                .contains("ratelimit.limits.orders.permits is empty.")
                .contains("System Environment Property \"RATELIMIT_LIMITS_ORDERS_PERMITS\"")
                .doesNotContain("application.yml");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ratelimit.defaults: 5              | ratelimit.defaults = 5
            ratelimit.http: true               | ratelimit.http = true
            ratelimit.limits.orders.keys: gold | ratelimit.limits.orders.keys = gold
            ratelimit: off                     | ratelimit = false
            """)
    void valueWherePropertiesBelong(String line, String said, CapturedOutput output) {
        assertThat(failedStart(output).with(line, FailedStart.Strict.class))
                .contains(said + " is no property by itself.")
                .contains("Write properties under it, or remove it.");
    }

    /** As where all that was under it is commented out; Boot 4 takes some of these for nothing said. */
    @ParameterizedTest
    @ValueSource(strings = {"ratelimit", "ratelimit.limits", "ratelimit.defaults", "ratelimit.http"})
    void nothingWherePropertiesBelong(String name, CapturedOutput output) {
        assertThat(failedStart(output).with(name + ":", FailedStart.Strict.class))
                .contains(name + " is no property by itself.")
                .contains("Write properties under it, or remove it.");
    }

    @Test
    void emptyMapsAndListsAreStated() {
        String yml = """
                ratelimit:
                  defaults: {}
                  limits: {}
                  http: { rules: [], trusted-proxies: [] }
                """;
        try (ConfigurableApplicationContext context = FailedStart.application(
                        directory, yml, Map.of(), FailedStart.Strict.class)
                .run()) {
            assertThat(context.getBean(RateLimitProperties.class).limits()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "limits.orders.permits, 7.5",
        "limits.orders.burst, 0.5",
        "limits.orders.slots, 2.5",
        "local.max-keys, 10.1"
    })
    void fractionWhereAWholeNumberBelongs(String property, String value, CapturedOutput output) {
        assertThat(failedStart(output).with("ratelimit." + property + ": " + value, FailedStart.Strict.class))
                .contains("ratelimit." + property + " = " + value + " is no whole number.")
                .contains("application.yml] - 1:");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            key       | ratelimit.http.rules[0].key is empty.       | leave it out for one counter for everyone
            condition | ratelimit.http.rules[0].condition is empty. | leave it out to count always
            """)
    void expressionOfARuleThatYamlTakesForAComment(
            String attribute, String said, String remedy, CapturedOutput output) {
        assertThat(failedStart(output).with("""
                                ratelimit:
                                  limits.orders.permits: 5
                                  http:
                                    rules:
                                      - path: /api/**
                                        limits: orders
                                        %s: #caller.principal
                                """.formatted(attribute), FailedStart.Strict.class))
                .contains(said)
                .contains("application.yml] - 7:")
                .contains("in quotes, since # begins a comment in YAML")
                .contains(remedy);
    }

    private FailedStart failedStart(CapturedOutput output) {
        return new FailedStart(directory, output);
    }
}
