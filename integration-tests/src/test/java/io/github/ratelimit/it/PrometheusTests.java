/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The meters as Prometheus scrapes them. */
@WithRedis
class PrometheusTests {

    /** Labels that every scraped metric gets. */
    private static final Set<String> ADDED_BY_PROMETHEUS = Set.of("job", "instance");

    private final RedisServer redis;

    PrometheusTests(RedisServer redis) {
        this.redis = redis;
    }

    @ParameterizedTest
    @EnumSource
    void countsCalls(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack)) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = app.get("/tenants/secret-tenant");
                assertThat(answer.statusCode()).isEqualTo(i < 2 ? 200 : 429);
                assertThat(answer.headers().firstValue("X-RateLimit-Limit")).contains("2");
            }

            List<String> scraped =
                    app.get("/actuator/prometheus").body().lines().toList();

            assertThat(scraped)
                    .contains(
                            "ratelimit_decisions_total{limit=\"orders\",outcome=\"allowed\"} 2.0",
                            "ratelimit_decisions_total{limit=\"orders\",outcome=\"denied\"} 1.0",
                            "ratelimit_decisions_total{limit=\"orders\",outcome=\"unavailable\"} 0.0",
                            "ratelimit_decisions_total{limit=\"watched\",outcome=\"shadow-denied\"} 2.0",
                            "ratelimit_acquire_seconds_count{store=\"redis\"} 3",
                            "ratelimit_wait_seconds_count 0",
                            "ratelimit_store_failures_total{cause=\"timeout\"} 0.0",
                            "ratelimit_store_failures_total{cause=\"clock\"} 0.0",
                            "ratelimit_permits{limit=\"orders\"} 2.0",
                            "ratelimit_store_away 0.0")
                    .noneMatch(line -> line.contains("secret-tenant") && line.startsWith("ratelimit"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsWhatWouldBeDeniedWhereEveryLimitOnlyWatches(WebStack stack) throws Exception {
        try (RunningApplication app = start(stack, "ratelimit.shadow=true")) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = app.get("/tenants/umbrella");
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.headers().map().keySet())
                        .noneMatch(name -> name.toLowerCase(Locale.ROOT).contains("ratelimit"));
            }

            assertThat(app.get("/actuator/prometheus").body().lines())
                    .contains(
                            "ratelimit_decisions_total{limit=\"orders\",outcome=\"allowed\"} 2.0",
                            "ratelimit_decisions_total{limit=\"orders\",outcome=\"shadow-denied\"} 1.0",
                            "ratelimit_decisions_total{limit=\"orders\",outcome=\"denied\"} 0.0",
                            "ratelimit_decisions_total{limit=\"watched\",outcome=\"shadow-denied\"} 2.0");
        }
    }

    @Test
    void alertsWhenMoreThanThirtyPercentAreDeniedForFiveMinutes() throws Exception {
        String rules = Files.readString(Path.of("..", "docs", "operations", "alerts.yml"));

        assertThat(rules)
                .containsPattern("(?s)alert: RateLimitManyDenied\n.*?> 0\\.3\n +for: 5m\n")
                .containsPattern("(?s)alert: RateLimitStoreFailing\n.*?ratelimit_store_failures_total.*?> 0\n")
                .containsPattern("(?s)alert: RateLimitUncounted\n.*?outcome=~\"uncounted\\|unavailable\".*?> 0\n");
    }

    /** What the dashboard and the alert rules of {@code docs/operations} ask for is there to be asked for. */
    @Test
    void exportsWhatTheOperatorsFilesUse() throws Exception {
        try (RunningApplication app = start(WebStack.SERVLET)) {
            app.get("/tenants/acme");
            String scraped = app.get("/actuator/prometheus").body();
            for (String file : List.of("dashboard.json", "alerts.yml")) {
                String text = Files.readString(Path.of("..", "docs", "operations", file));

                assertThat(all("ratelimit_[a-z_]+", text))
                        .as(file)
                        .isNotEmpty()
                        .allMatch(name -> scraped.contains("\n" + name + "{") || scraped.contains("\n" + name + " "));
                assertThat(all("(?<=outcome=.{0,3}\"|\\|)[a-z-]+(?=[|\\\\\"])", text))
                        .as(file)
                        .contains("denied", "uncounted", "unavailable")
                        .allMatch(tag -> scraped.contains("outcome=\"" + tag + "\""));
                assertThat(labels(text))
                        .as(file)
                        .contains("limit", "cause")
                        .allMatch(label -> ADDED_BY_PROMETHEUS.contains(label)
                                || Pattern.compile("(?m)^ratelimit_[^\\n]*[{,]" + label + "=\"")
                                        .matcher(scraped)
                                        .find());
            }
        }
    }

    /** What an expression groups by, chooses by or shows. */
    private static Set<String> labels(String text) {
        Set<String> labels = new HashSet<>();
        all("(?<= by \\()[a-z_, ]+(?=\\))", text).forEach(group -> labels.addAll(List.of(group.split(", ?"))));
        labels.addAll(all("(?<=[{,])[a-z_]+(?==~?\\\\?\")", text));
        labels.addAll(all("(?<=\\$labels\\.)[a-z_]+", text));
        labels.addAll(all("(?<=\\{\\{)[a-z_]+(?=}})", text));
        return labels;
    }

    private static Set<String> all(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }

    private RunningApplication start(WebStack stack, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.application.name=prometheus-" + stack,
                "spring.data.redis.host=" + redis.host(),
                "spring.data.redis.port=" + redis.port(),
                "management.endpoints.web.exposure.include=prometheus",
                "ratelimit.store-timeout=20s",
                "ratelimit.limits.orders.permits=2",
                "ratelimit.limits.orders.period=1h",
                "ratelimit.limits.watched.permits=1",
                "ratelimit.limits.watched.period=1h",
                "ratelimit.limits.watched.shadow=true"));
        properties.addAll(List.of(more));
        return stack.start(Application.class, properties.toArray(String[]::new));
    }

    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Application {}

    @RestController
    static class Orders {

        @GetMapping("/tenants/{tenantId}")
        @RateLimited(name = "orders", key = "#tenantId")
        @RateLimited(name = "watched", key = "#tenantId")
        public String order(@PathVariable String tenantId) {
            return "ordered for " + tenantId;
        }
    }
}
