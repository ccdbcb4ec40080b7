/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.tuning.LimitSettings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** A property that nothing reads stops the start, and people are told which, where and what instead. */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

    @TempDir
    Path directory;

    @Test
    void misspeltPropertyOfALimitIsNamedWithFileAndLine(CapturedOutput output) {
        String said = failedStart(output).with("""
                        ratelimit:
                          limits:
                            orders:
                              permitz: 5
                              period: 1m
                        """, FailedStart.Strict.class);

        assertThat(said)
                .contains("Property: ratelimit.limits.orders.permitz")
                .contains("Value: \"5\"")
                .contains("application.yml")
                .contains("4:16")
                .contains("The nearest known name is ratelimit.limits.orders.permits.")
                .contains("Known under ratelimit.limits.orders: adaptive, algorithm, anchor, burst, digest-keys,");
    }

    @Test
    void everyUnknownPropertyIsNamedAtOnce(CapturedOutput output) {
        String said = failedStart(output).with("""
                        ratelimit:
                          waitin:
                            leaky-bucket: 2s
                          defaults:
                            burst: 7
                        """, FailedStart.Strict.class);

        assertThat(said)
                .contains("Property: ratelimit.waitin.leaky-bucket")
                .contains("The nearest known name is ratelimit.waiting.leaky-bucket.")
                .contains("Property: ratelimit.defaults.burst")
                .contains("Known under ratelimit.defaults: algorithm, period, permits.");
    }

    @Test
    void misspeltPropertyOfARuleIsNamed(CapturedOutput output) {
        String said = failedStart(output).with("""
                        ratelimit:
                          http:
                            rules:
                              - pth: /api/**
                                limits: [orders]
                        """, FailedStart.Strict.class);

        assertThat(said)
                .contains("Property: ratelimit.http.rules[0].pth")
                .contains("The nearest known name is ratelimit.http.rules[0].path.");
    }

    @Test
    void nameSplitAtItsDotIsCuredWithBrackets(CapturedOutput output) {
        String said = failedStart(output).with("""
                        ratelimit:
                          limits:
                            Some.name:
                              permits: 5
                        """, FailedStart.Strict.class);

        assertThat(said)
                .contains("ratelimit.limits[Some.name].permits")
                .contains("in YAML with quotes: \"[Some.name]\":");
    }

    /** A plan has fewer properties than its limit; brackets would make a limit of it that nobody names. */
    @Test
    void propertyOfALimitThatAPlanDoesNotHaveIsNotCuredWithBrackets(CapturedOutput output) {
        String said = failedStart(output).with("""
                        ratelimit:
                          limits:
                            orders:
                              permits: 5
                              plans:
                                gold: { permits: 50, penalty: 1s }
                        """, FailedStart.Strict.class);

        assertThat(said)
                .contains("Property: ratelimit.limits.orders.plans.gold.penalty")
                .contains("Known under ratelimit.limits.orders.plans.gold: burst, period, permits.")
                .doesNotContain("[orders.plans.gold]");
    }

    @Test
    void misspeltEnvironmentVariableOfALimitIsNamed(CapturedOutput output) {
        String said =
                failedStart(output).with("", Map.of("RATELIMIT_LIMITS_ORDERS_PERMITZ", "5"), FailedStart.Strict.class);

        assertThat(said)
                .contains("RATELIMIT_LIMITS_ORDERS_PERMITZ")
                .contains("The nearest known name is ratelimit.limits.orders.permits.");
    }

    @Test
    void environmentVariableWithADashTooManyIsCured(CapturedOutput output) {
        String said = failedStart(output)
                .with("", Map.of("RATELIMIT_LIMITS_ORDERS_API_PERMITS", "5"), FailedStart.Strict.class);

        assertThat(said).contains("Leave out dashes in environment variables: RATELIMIT_LIMITS_ORDERSAPI_PERMITS");
    }

    @Test
    void environmentVariablesBindInBothWaysOfWritingThem() {
        String yml = """
                ratelimit:
                  limits:
                    orders-api:
                      permits: 1
                """;
        Map<String, Object> variables = Map.of(
                "RATELIMIT_STORE_TIMEOUT", "100ms",
                "RATELIMIT_KEYPREFIX", "mine",
                "RATELIMIT_LIMITS_ORDERS_API_PERMITS", "2",
                "RATELIMIT_LIMITS_ORDERSAPI_BURST", "3");

        try (ConfigurableApplicationContext context = FailedStart.application(
                        directory, yml, variables, FailedStart.Strict.class)
                .run()) {
            RateLimitProperties properties = context.getBean(RateLimitProperties.class);
            assertThat(properties.storeTimeout()).hasMillis(100);
            assertThat(properties.keyPrefix()).isEqualTo("mine");
            assertThat(limit(properties, "orders-api").permits()).isEqualTo(2);
            assertThat(limit(properties, "orders-api").burst()).isEqualTo(3);
        }
    }

    @Test
    void environmentVariablesOfOthersAreToldOfOnceAndDoNoHarm(CapturedOutput output) {
        Map<String, Object> variables =
                Map.of("RATELIMIT_PORT", "tcp://10.0.0.1:8081", "RATELIMIT_SERVICE_HOST", "10.0.0.1");

        FailedStart.application(directory, "", variables, FailedStart.Strict.class)
                .run()
                .close();

        assertThat(output)
                .containsOnlyOnce("Ignored, since they are no properties of this library")
                .contains("RATELIMIT_PORT")
                .contains("RATELIMIT_SERVICE_HOST")
                .doesNotContain("10.0.0.1");
    }

    @Test
    void elementsOfAnOverriddenListAreKnown(CapturedOutput output) {
        System.setProperty("ratelimit.http.trusted-proxies[0]", "10.0.0.0/8");
        Map<String, Object> variables = Map.of(
                "RATELIMIT_HTTP_TRUSTEDPROXIES_0", "10.1.0.0/16", "RATELIMIT_HTTP_TRUSTEDPROXIES_1", "10.2.0.0/16");
        try {
            FailedStart.application(directory, "", variables, FailedStart.Strict.class)
                    .run()
                    .close();
        } finally {
            System.clearProperty("ratelimit.http.trusted-proxies[0]");
        }

        assertThat(output).doesNotContain("Ignored");
    }

    /** Also where the list is taken from the environment, so that its other variables are in force. */
    @Test
    void misspeltEnvironmentVariableOfAnElementIsToldOf(CapturedOutput output) {
        Map<String, Object> variables = Map.of(
                "RATELIMIT_HTTP_RULES_0_PATH", "/api/**",
                "RATELIMIT_HTTP_RULES_0_LIMITS_0", "orders",
                "RATELIMIT_HTTP_RULES_0_KEYY", "#caller.principal",
                "RATELIMIT_HTTP_TRUSTED_PROXIES_0", "10.0.0.1");

        FailedStart.application(directory, "", variables, FailedStart.Strict.class)
                .run()
                .close();

        assertThat(output)
                .contains("Ignored, since they are no properties of this library: System Environment Property"
                        + " \"RATELIMIT_HTTP_RULES_0_KEYY\"\n")
                .doesNotContain("#caller.principal");
    }

    @Test
    void misspeltEnvironmentVariableOfALimitWithANumberForANameIsNamed(CapturedOutput output) {
        String said = failedStart(output)
                .with(
                        "ratelimit.limits.2.permits: 5",
                        Map.of("RATELIMIT_LIMITS_2_PERMITZ", "5"),
                        FailedStart.Strict.class);

        assertThat(said).contains("RATELIMIT_LIMITS_2_PERMITZ").contains("The nearest known name is");
    }

    @Test
    void misspeltSystemPropertyIsNamed(CapturedOutput output) {
        System.setProperty("ratelimit.shadwo", "true");
        try {
            assertThat(failedStart(output).with("", FailedStart.Strict.class))
                    .contains("Property: ratelimit.shadwo")
                    .contains("\"ratelimit.shadwo\" from property source \"systemProperties\"")
                    .contains("The nearest known name is ratelimit.shadow.");
        } finally {
            System.clearProperty("ratelimit.shadwo");
        }
    }

    @Test
    void unknownPropertiesOfOthersAreNoneOfOurBusiness() {
        FailedStart.application(directory, "ratelimiter.permits: 5", Map.of(), FailedStart.Strict.class)
                .run()
                .close();
    }

    @Test
    void namesOfKeysMayHaveAnyLettersInBrackets() {
        String yml = """
                ratelimit:
                  limits:
                    "[Some.name]":
                      permits: 5
                      plans:
                        "[gold/2]": { permits: 50 }
                      keys:
                        "[a/b@c.d]": gold/2
                        plain.dotted-Key: gold/2
                        42: gold/2
                """;

        try (ConfigurableApplicationContext context = FailedStart.application(
                        directory, yml, Map.of(), FailedStart.Strict.class)
                .run()) {
            assertThat(limit(context.getBean(RateLimitProperties.class), "Some.name")
                            .keys())
                    .containsOnlyKeys("a/b@c.d", "plain.dotted-Key", "42");
        }
    }

    private static LimitSettings limit(RateLimitProperties properties, String name) {
        return properties.limits().getOrDefault(name, LimitSettings.NONE);
    }

    private FailedStart failedStart(CapturedOutput output) {
        return new FailedStart(directory, output);
    }
}
