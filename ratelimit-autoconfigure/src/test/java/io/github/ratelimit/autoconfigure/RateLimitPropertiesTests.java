/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Anchor;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Refill;
import io.github.ratelimit.autoconfigure.HttpProperties.Header;
import io.github.ratelimit.autoconfigure.HttpProperties.Method;
import io.github.ratelimit.autoconfigure.HttpProperties.Rule;
import io.github.ratelimit.tuning.Adaptive;
import io.github.ratelimit.tuning.LimitSettings;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.StoreKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

/** Properties bind as the contract writes them, and have the contract's defaults. */
class RateLimitPropertiesTests {

    @Test
    void nothingStatedMeansTheDefaults() {
        RateLimitProperties properties = bind("");

        assertThat(properties)
                .isEqualTo(new RateLimitProperties(
                        true,
                        StoreKind.REDIS,
                        null,
                        false,
                        FailurePolicy.LOCAL,
                        1.0,
                        Duration.ofMillis(250),
                        new RateLimitProperties.Waiting(Duration.ofSeconds(5), 100),
                        new RateLimitProperties.Local(1_000_000),
                        new RateLimitProperties.Redis(true, true),
                        1000,
                        new RateLimitProperties.Defaults(Algorithm.TOKEN_BUCKET, null, Duration.ofMinutes(1)),
                        Map.of(),
                        new HttpProperties(
                                Set.of(Header.RETRY_AFTER, Header.X_RATELIMIT),
                                true,
                                false,
                                false,
                                List.of(),
                                64,
                                List.of(),
                                -50)));
    }

    @Test
    void everythingCanBeStated() {
        RateLimitProperties properties = bind("""
                spring.application.name: shop
                ratelimit:
                  enabled: false
                  store: local
                  key-prefix: "rl:${spring.application.name:}"
                  shadow: true
                  on-store-failure: deny
                  local-share: 0.5
                  store-timeout: 100ms
                  waiting: { leaky-bucket: 1s, blocked-threads: 7 }
                  local: { max-keys: 5 }
                  redis: { denial-cache: false, coalescing: false }
                  gate-order: 3
                  defaults: { algorithm: sliding-window-log, permits: 100, period: 10s }
                  limits:
                    orders:
                      algorithm: token-bucket
                      permits: 600
                      period: 1m
                      burst: 50
                      refill: interval
                      slots: 10
                      strict: true
                      anchor: first-call
                      pace: false
                      large-log: true
                      max-wait: 2s
                      penalty: 30s
                      shadow: false
                      digest-keys: true
                      store: local
                      on-store-failure: allow
                      adaptive: { min-permits: 50, high-cpu: 0.9 }
                      plans:
                        gold: { permits: 6000, burst: 500 }
                      keys:
                        acme: gold
                  http:
                    headers: [ratelimit]
                    problem-details: false
                    expose-headers: true
                    yield-to-catch-all: true
                    trusted-proxies: [10.0.0.0/8]
                    ipv6-prefix: 48
                    rules-order: 9
                    rules:
                      - path: /api/**
                        methods: [POST]
                        limits: [orders]
                        key: "#caller.principal"
                        condition: "true"
                """);

        LimitSettings orders = new LimitSettings(
                Algorithm.TOKEN_BUCKET,
                600L,
                Duration.ofMinutes(1),
                50L,
                Refill.INTERVAL,
                10,
                true,
                Anchor.FIRST_CALL,
                false,
                true,
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                false,
                true,
                StoreKind.LOCAL,
                FailurePolicy.ALLOW,
                new Adaptive(50L, 0.9, null),
                Map.of("gold", new Numbers(6000L, null, 500L)),
                Map.of("acme", "gold"));
        HttpProperties http = new HttpProperties(
                Set.of(Header.RATELIMIT),
                false,
                true,
                true,
                List.of("10.0.0.0/8"),
                48,
                List.of(new Rule("/api/**", Set.of(Method.POST), List.of("orders"), "#caller.principal", "true")),
                9);
        assertThat(properties)
                .isEqualTo(new RateLimitProperties(
                        false,
                        StoreKind.LOCAL,
                        "rl:shop",
                        true,
                        FailurePolicy.DENY,
                        0.5,
                        Duration.ofMillis(100),
                        new RateLimitProperties.Waiting(Duration.ofSeconds(1), 7),
                        new RateLimitProperties.Local(5),
                        new RateLimitProperties.Redis(false, false),
                        3,
                        new RateLimitProperties.Defaults(Algorithm.SLIDING_WINDOW_LOG, 100L, Duration.ofSeconds(10)),
                        Map.of("orders", orders),
                        http));
    }

    @Test
    void noHeaderAtAllCanBeStated() {
        assertThat(bind("ratelimit.http.headers: []").http().headers()).isEmpty();
    }

    @Test
    void tuningHoldsWhatIsSaidAboutLimits() {
        RateLimitProperties properties = bind("""
                ratelimit:
                  shadow: true
                  store: local
                  on-store-failure: deny
                  defaults.permits: 7
                  limits.orders.permits: 5
                """);

        assertThat(properties.tuning().shadow()).isTrue();
        assertThat(properties.tuning().store()).isEqualTo(StoreKind.LOCAL);
        assertThat(properties.tuning().onStoreFailure()).isEqualTo(FailurePolicy.DENY);
        assertThat(properties.tuning().defaults())
                .isEqualTo(LimitSettings.of(
                        Algorithm.TOKEN_BUCKET, new Numbers(7L, Duration.ofMinutes(1), null), null, null));
        assertThat(properties.tuning().limits()).isEqualTo(properties.limits());
    }

    /** Keys are values of callers: what Boot tells apart is told apart here. */
    @Test
    void keysMayDifferInWhateverBootKeeps() {
        RateLimitProperties properties = bind("""
                ratelimit:
                  limits:
                    orders:
                      permits: 5
                      keys: { ACME: a, acme.com: b, "[Foo]": c, "[foo]": d, "[foo.com]": e, "[FOO.com]": f }
                """);

        assertThat(properties.limits().get("orders"))
                .isNotNull()
                .extracting(LimitSettings::keys)
                .isEqualTo(
                        Map.of("ACME", "a", "acme.com", "b", "Foo", "c", "foo", "d", "foo.com", "e", "FOO.com", "f"));
    }

    private static RateLimitProperties bind(String yml) {
        StandardEnvironment environment = new StandardEnvironment();
        try {
            new YamlPropertySourceLoader()
                    .load("test", new ByteArrayResource(yml.getBytes(StandardCharsets.UTF_8)))
                    .forEach(environment.getPropertySources()::addFirst);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return StrictProperties.bind(environment);
    }
}
