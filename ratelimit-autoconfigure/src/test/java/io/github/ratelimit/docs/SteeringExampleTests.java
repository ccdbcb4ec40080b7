/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.PlanResolver;
import io.github.ratelimit.RateLimitDeniedEvent;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.build.RepositoryRoot;
import io.github.ratelimit.tuning.Adaptive;
import io.github.ratelimit.tuning.EffectiveLimit;
import io.github.ratelimit.tuning.LimitCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.io.ByteArrayResource;

/** Examples of {@code docs/tuning.md} and {@code docs/monitoring.md}. */
class SteeringExampleTests {

    private static final Pattern YAML = Pattern.compile("(?s)## By load\n\n```yaml\n(.*?)```");

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
            .withUserConfiguration(Application.class)
            .withPropertyValues("ratelimit.store=local");

    @Test
    void findsThePlanOfATenantAndAsksTheDatabaseOnce() {
        application
                .withPropertyValues("ratelimit.limits.orders.permits=1", "ratelimit.limits.orders.plans.gold.permits=3")
                .run(context -> {
                    RateLimiter limiter = context.getBean(RateLimiter.class);
                    for (int i = 0; i < 3; i++) {
                        assertThat(limiter.tryAcquire("orders", "acme").plan()).isEqualTo("gold");
                    }
                    assertThat(limiter.tryAcquire("orders", "acme").passes()).isFalse();
                    assertThat(context.getBean(Database.class).asked).containsExactly("acme");
                    assertThat(context.getBean(Alarms.class).raised).containsExactly("orders");
                });
    }

    @Test
    void followsTheLoadAsThePageSays() {
        Matcher block = YAML.matcher(RepositoryRoot.text("docs/tuning.md"));
        assertThat(block.find()).isTrue();
        application
                .withInitializer(context -> {
                    try {
                        new YamlPropertySourceLoader()
                                .load(
                                        "page",
                                        new ByteArrayResource(block.group(1).getBytes(StandardCharsets.UTF_8)))
                                .forEach(context.getEnvironment().getPropertySources()::addFirst);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                })
                .run(context -> {
                    EffectiveLimit orders = context.getBean(LimitCatalog.class).base("orders");
                    assertThat(orders.adaptive()).isEqualTo(new Adaptive(50L, 0.8, 0.5));
                    assertThat(orders.limit().permits()).isEqualTo(600);
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Application {

        @Bean
        PlanResolver plans(Tenants tenants) {
            return (limit, key) -> tenants.planOf(key);
        }

        @Bean
        Tenants tenants(Database database) {
            return new Tenants(database);
        }

        @Bean
        Database database() {
            return new Database();
        }

        @Bean
        Alarms alarms() {
            return new Alarms();
        }

        @Bean
        Denials denials(Alarms alarms) {
            return new Denials(alarms);
        }

        @Bean
        CacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }
    }

    static class Tenants {

        private final Database database;

        Tenants(Database database) {
            this.database = database;
        }

        @Cacheable("plans")
        public @Nullable String planOf(String tenantId) {
            return database.planOf(tenantId);
        }
    }

    static class Denials {

        private final Alarms alarms;

        Denials(Alarms alarms) {
            this.alarms = alarms;
        }

        @EventListener
        void onDenial(RateLimitDeniedEvent event) {
            alarms.raise(event.denied().limit());
        }
    }

    static class Database {

        final List<String> asked = new ArrayList<>();

        String planOf(String tenantId) {
            asked.add(tenantId);
            return "gold";
        }
    }

    static class Alarms {

        final List<String> raised = new ArrayList<>();

        void raise(String limit) {
            raised.add(limit);
        }
    }
}
