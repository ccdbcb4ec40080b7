/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.tuning.LimitCatalog;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.core.env.Environment;

/** A value that cannot be stops the start, and people are told which, where and what instead. */
@ExtendWith(OutputCaptureExtension.class)
class PropertyMistakesTests {

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    local-share: 2                 | ratelimit.local-share = 2.0 is no part.
                    local-share: 0                 | Use a number above 0 and at most 1.
                    store-timeout: 0s              | ratelimit.store-timeout = 0s is out of range.
                    store-timeout: 2m              | Use a duration from 1ms to 1m, with its unit.
                    key-prefix: 'a{b}'             | has a brace or a control character in it, or nothing.
                    waiting.leaky-bucket: 2h       | ratelimit.waiting.leaky-bucket = 2h is out of range.
                    waiting.blocked-threads: -1    | ratelimit.waiting.blocked-threads = -1 is negative.
                    local.max-keys: 0              | ratelimit.local.max-keys = 0 counts nobody.
                    http.ipv6-prefix: 129          | ratelimit.http.ipv6-prefix = 129 is no length of a prefix.
                    http.trusted-proxies[0]: proxy | ratelimit.http.trusted-proxies[0] = proxy is no address and no network.
                    http.trusted-proxies: ::1,10.1.0.0/8 | 10.1.0.0/8 is an address within the network 10.0.0.0/8.
                    http.rules[0].path: api        | ratelimit.http.rules[0].path = api does not begin with '/'.
                    http.rules[0].key: a           | ratelimit.http.rules[0].path is missing.
                    http.rules[0].path: /api       | ratelimit.http.rules[0].limits names no limit.
                    defaults.permits: 0            | ratelimit.defaults.permits = 0 allows nothing.
                    defaults.permits: 2000000000   | The nearest accepted number is 1000000000.
                    defaults.period: 0s            | ratelimit.defaults.period = 0s is not a whole number of milliseconds
                    defaults.period: 40d           | The nearest accepted duration is 31d.
                    """)
    void valueOutOfItsRange(String line, String said, CapturedOutput output) {
        assertThat(failedStart(output).with("ratelimit." + line, Catalog.class)).contains(said);
    }

    @Test
    void valueOutOfItsRangeIsFoundInItsFile(CapturedOutput output) {
        assertThat(failedStart(output).with("""
                                ratelimit:
                                  local-share: 2
                                """, Catalog.class)).contains("application.yml] - 2:16");
    }

    @Test
    void valueOfTheWrongTypeIsLeftToBoot(CapturedOutput output) {
        assertThat(failedStart(output).with("ratelimit.limits.orders.algorithm: token-buket", Catalog.class))
                .contains("Property: ratelimit.limits.orders.algorithm")
                .contains("Value: \"token-buket\"")
                .contains("application.yml] - 1:36")
                .contains("TOKEN_BUCKET");
    }

    @Test
    void limitThatIsAValue(CapturedOutput output) {
        assertThat(failedStart(output).with("ratelimit.limits.orders: 5", Catalog.class))
                .contains("ratelimit.limits.orders = 5 is no limit.")
                .contains("application.yml] - 1:26")
                .contains("Write permits, period and the like under it, or remove it.");
    }

    @Test
    void limitThatSaysNothing(CapturedOutput output) {
        assertThat(failedStart(output).with("ratelimit.limits.orders:", Catalog.class))
                .contains("ratelimit.limits.orders is no limit.");
    }

    /** Whether a limit uses them or not. */
    @Test
    void defaultsThatNoLimitUses(CapturedOutput output) {
        assertThat(failedStart(output).with("""
                                ratelimit:
                                  defaults.permits: 0
                                  limits.orders: { permits: 5, period: 1s }
                                """, Catalog.class))
                .contains("ratelimit.defaults.permits = 0 allows nothing.")
                .contains("The nearest accepted number is 1.")
                .contains("application.yml] - 2:21");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gold:", "gold: ''", "gold: 5"})
    void planThatStatesNoNumber(String plan, CapturedOutput output) {
        assertThat(failedStart(output).with("""
                                ratelimit:
                                  limits:
                                    orders:
                                      permits: 5
                                      plans:
                                        %s
                                """.formatted(plan), Catalog.class))
                .contains("ratelimit.limits.orders.plans.gold ")
                .contains("is no plan.")
                .contains("application.yml] - 6:")
                .contains("Write permits, period or burst under it, or remove it.");
    }

    @Test
    void numberOfALimitIsFoundInItsFile(CapturedOutput output) {
        assertThat(failedStart(output).with("""
                                ratelimit:
                                  limits:
                                    orders-api:
                                      permits: 0
                                """, Catalog.class))
                .contains("Limit 'orders-api': permits = 0 allows nothing.")
                .contains("Stated in: ratelimit.limits.orders-api.permits")
                .contains("application.yml] - 4:16")
                .contains("The nearest accepted number is 1.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            token-bucket           | slots: 10        | slots = 10        | sliding-window-counter
            leaky-bucket           | refill: greedy   | refill = GREEDY   | token-bucket
            sliding-window-log     | burst: 7         | burst = 7         | buckets
            sliding-window-counter | anchor: clock    | anchor = CLOCK    | fixed-window
            fixed-window           | strict: true     | strict = true     | sliding-window-counter
            token-bucket           | pace: false      | pace = false      | leaky-bucket
            sliding-window-counter | large-log: true  | large-log = true  | sliding-window-log
            """)
    void optionOfAnotherAlgorithm(String algorithm, String line, String option, String owner, CapturedOutput output) {
        assertThat(failedStart(output)
                        .with(
                                "ratelimit.limits.orders: { permits: 5, algorithm: %s, %s }".formatted(algorithm, line),
                                Catalog.class))
                .contains("Limit 'orders': %s is an option that %s does not have.".formatted(option, algorithm))
                .contains("Stated in: ratelimit.limits.orders." + line.substring(0, line.indexOf(':')))
                .contains("application.yml] - 1:")
                .contains("Remove it, or choose another algorithm: it belongs to " + owner + ".");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            permits: 2000000, algorithm: fixed-window                        | permits = 2000000 is more than can be counted exactly. | The nearest accepted number is 1000000.
            permits: 10001, algorithm: sliding-window-log                    | permits = 10001 is a lot to remember one by one.       | set large-log: true to allow more
            permits: 5, burst: 0                                             | burst = 0 allows nothing.                              | The nearest accepted number is 1.
            permits: 5, algorithm: sliding-window-counter, slots: 7          | slots = 7 does not divide the period                   | The nearest accepted number is
            permits: 5, period: 32d                                          | period = 32d is                                        | The nearest accepted duration is 31d.
            permits: 5, period: 0s                                           | period = 0s is                                          | The nearest accepted duration is 1ms.
            permits: 5, period: 1900us                                       | period = PT0.0019S is                                   | The nearest accepted duration is 2ms.
            permits: 5, max-wait: 2h                                         | max-wait = 2h is                                       | The nearest accepted duration is 1h.
            permits: 5, max-wait: -1s                                        | max-wait = -1s is not a whole number of milliseconds from 0s to 1h. | The nearest accepted duration is 0s.
            permits: 5, penalty: -5s                                         | penalty = -5s is not a whole number of milliseconds from 0s to 31d. | The nearest accepted duration is 0s.
            """)
    void numberThatCannotBeCounted(String numbers, String problem, String remedy, CapturedOutput output) {
        assertThat(failedStart(output).with("ratelimit.limits.orders: { " + numbers + " }", Catalog.class))
                .contains("Limit 'orders': " + problem)
                .contains("Stated in: ratelimit.limits.orders." + problem.substring(0, problem.indexOf(' ')))
                .contains("application.yml] - 1:")
                .contains(remedy);
    }

    @Test
    void optionThatTheAlgorithmDoesNotHave(CapturedOutput output) {
        assertThat(failedStart(output).with("""
                                ratelimit:
                                  limits:
                                    "[Some.name]": { algorithm: fixed-window, permits: 5, burst: 7 }
                                """, Catalog.class))
                .contains("Limit 'Some.name': burst = 7 is an option that fixed-window does not have.")
                .contains("Stated in: ratelimit.limits[Some.name].burst")
                .contains("application.yml] - 3:66")
                .contains("Remove it, or choose another algorithm: it belongs to buckets.");
    }

    @Test
    void limitWithoutPermitsAnywhere(CapturedOutput output) {
        assertThat(failedStart(output).with("ratelimit.limits.orders.period: 1s", Catalog.class))
                .contains("Limit 'orders': permits = (none) are stated nowhere.")
                .contains("Set ratelimit.limits.orders.permits, ratelimit.defaults.permits, or permits in the");
    }

    @Test
    void oneNameInTwoSpellings(CapturedOutput output) {
        assertThat(failedStart(output).with("""
                                ratelimit:
                                  limits:
                                    orders-api.permits: 5
                                    ordersApi.burst: 7
                                """, Catalog.class))
                .contains(
                        "ratelimit.limits.ordersApi is the same name as ratelimit.limits.orders-api, in the same place.")
                .contains("Case, '-' and '_' do not count in names: write it in one way.");
    }

    @Test
    void oneNameInTwoSpellingsInTwoPlaces(CapturedOutput output) {
        System.setProperty("ratelimit.limits[ordersApi].permits", "7");
        try {
            assertThat(failedStart(output).with("ratelimit.limits.orders-api.permits: 5", Catalog.class))
                    .contains("is the same limit as")
                    .contains("Names match as properties do: case, '-' and '_' do not count. Write it in one way.");
        } finally {
            System.clearProperty("ratelimit.limits[ordersApi].permits");
        }
    }

    @Test
    void keysThatDifferOnlyByCase(CapturedOutput output) {
        assertThat(failedStart(output).with("""
                                ratelimit:
                                  limits:
                                    orders:
                                      permits: 5
                                      keys: { acme: gold, ACME: silver }
                                """, Catalog.class))
                .contains("ratelimit.limits.orders.keys.ACME is the same name as ratelimit.limits.orders.keys.acme")
                .contains("application.yml");
    }

    @Test
    void keyWhoseLettersWouldBeDropped(CapturedOutput output) {
        assertThat(failedStart(output).with("""
                                ratelimit:
                                  limits:
                                    orders:
                                      permits: 5
                                      keys: { a@b: gold }
                                """, Catalog.class))
                .contains("ratelimit.limits.orders.keys.a@b has letters in its name that Spring Boot drops.")
                .contains("Put brackets around that part of the name");
    }

    /** Boot's own know some of these exceptions too, and say less; which of two equals comes first is chance. */
    @Test
    void analysesSpeakBeforeBootsOwn() {
        assertThat(Stream.of(
                        InvalidLimitFailureAnalyzer.class,
                        InvalidPropertyFailureAnalyzer.class,
                        UnknownPropertyFailureAnalyzer.class))
                .allSatisfy(
                        analyzer -> assertThat(OrderUtils.getOrder(analyzer)).isEqualTo(Ordered.HIGHEST_PRECEDENCE));
    }

    private FailedStart failedStart(CapturedOutput output) {
        return new FailedStart(directory, output);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(RateLimitProperties.class)
    static class Catalog {

        @Bean
        static StrictProperties strictProperties(Environment environment) {
            return new StrictProperties(environment);
        }

        @Bean
        LimitCatalog catalog(RateLimitProperties properties) {
            LimitCatalog catalog = new LimitCatalog(properties.tuning(), (limit, key) -> null);
            catalog.check();
            return catalog;
        }
    }
}
